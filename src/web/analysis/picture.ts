import { planSteps } from '../../engine/plan.ts';
import type { Plan } from '../../engine/plan-document.ts';
import { compile } from '../../engine/scheduling/compile.ts';
import { perHour } from '../../report/money.ts';
import {
  commitmentsInWords,
  consequenceInWords,
  effortInWords,
  karpenterInWords,
  moveInWords,
  pricesInWords,
  priceWarnings,
  severalAtOnceInWords,
} from '../../report/plan-words.ts';
import type { MoveView, PlanContent, WhatIfAnswer, WhatIfQuestion } from '../api.ts';
import { Boundary } from './boundary.ts';
import { type BrakedMove, heldBy } from './held-moves.ts';
import { type PlanSoFar, packingAfter, packingNow } from './packing-columns.ts';
import { plannedTotals, totalsOf } from './planned-totals.ts';
import { inSlices } from './slices.ts';
import { rulesOf, type Subject } from './subject.ts';
import { supposed } from './supposed.ts';

/** A cluster at one moment, before or after it is planned, and the answers to questions about it. */
export class Picture {
  readonly subject: Subject;
  /** Of the plan, once it is made. */
  readonly nodes: PlanSoFar;
  readonly plan: Plan | undefined;
  private asked: Boundary | undefined;

  constructor(subject: Subject, nodes: PlanSoFar | Plan) {
    this.subject = subject;
    this.nodes = nodes;
    this.plan = 'kind' in nodes ? nodes : undefined;
  }

  get totals() {
    const totals = totalsOf(this.nodes, this.subject.objects);
    if (this.plan === undefined) return totals;
    return { ...totals, planned: { ...plannedTotals(this.plan), ...this.heldCount(this.plan) } };
  }

  get boundary(): Boundary {
    const { objects, settings } = this.subject;
    this.asked ??= new Boundary(this.subject, compile(objects, settings));
    return this.asked;
  }

  private heldCount({ moves }: Plan): { readonly held?: number } {
    const { held = [] } = this.subject;
    const count = moves.filter((move) => heldBy(held, move) !== undefined).length;
    return count === 0 ? {} : { held: count };
  }

  /** Stops once `left` is aborted. */
  async whatIf(question: WhatIfQuestion, now: Plan, left?: AbortSignal): Promise<Omit<WhatIfAnswer, 'version'>> {
    const startedMs = performance.now();
    const asked = await planInSlices(supposed(this.subject, question), () => left?.throwIfAborted());
    return {
      question,
      now: plannedTotals(now),
      asked: plannedTotals(asked),
      elapsedMs: performance.now() - startedMs,
    };
  }

  planView(plan: Plan): PlanContent {
    const { objects, held = [] } = this.subject;
    const { moves, bound, coverage } = plan;
    return {
      totals: { ...totalsOf(plan, objects), planned: { ...plannedTotals(plan), ...this.heldCount(plan) } },
      moves: moves.map((move) => ({
        ...move,
        words: moveInWords(move),
        consequence: `saves ${perHour(move.savingsCentsPerHour)}${consequenceInWords(move)}`,
        ...asHeld(heldBy(held, move)),
      })),
      ...(bound === undefined ? {} : { bound }),
      ...(coverage === undefined ? {} : { coverage }),
      effort: effortInWords(plan),
      notes: [
        ...priceWarnings(plan),
        pricesInWords(plan),
        ...commitmentsInWords(plan),
        karpenterInWords(plan),
        severalAtOnceInWords(plan),
      ].filter((note) => note !== undefined),
      before: packingNow(plan, objects),
      after: packingAfter(plan, objects),
    };
  }
}

function asHeld(held: BrakedMove | undefined): Pick<MoveView, 'held'> {
  return held === undefined ? {} : { held: { why: held.why, untilMs: held.untilMs } };
}

/** The plan of another subject, in slices. */
function planInSlices(subject: Subject, paused: () => void): Promise<Plan> {
  const { objects, search, maxReplacements, work } = subject;
  const settings = { search, rules: rulesOf(subject), maxReplacements, work, loadMs: 0 };
  return inSlices(
    planSteps(objects, settings, () => performance.now()),
    paused,
  );
}
