import { evaluate } from '../../engine/pass/evaluation.ts';
import { defaultWork, planSteps } from '../../engine/plan.ts';
import { planCost } from '../../engine/plan-commitments.ts';
import type { Plan } from '../../engine/plan-document.ts';
import { plannedNode } from '../../engine/planned.ts';
import { compile } from '../../engine/scheduling/compile.ts';
import type { CompiledCluster } from '../../engine/scheduling/compiled-cluster.ts';
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
import type { MoveView, PlanView, WhatIfAnswer, WhatIfQuestion } from '../api.ts';
import { Boundary } from './boundary.ts';
import { type BrakedMove, heldBy } from './held-moves.ts';
import { type PlanSoFar, packingAfter, packingNow } from './packing-columns.ts';
import { plannedTotals, totalsOf } from './planned-totals.ts';
import { inSlices } from './slices.ts';
import { rulesOf, type Subject } from './subject.ts';
import { supposed } from './supposed.ts';

/** A cluster at one moment: the verdict of every node, then a plan, and the answers to questions about them. */
export class Picture {
  readonly subject: Subject;
  plan: Plan | undefined;
  private compiled: CompiledCluster | undefined;
  private evaluated: Evaluated | undefined;
  private asked: Boundary | undefined;

  /** `plan`: if it is already made. */
  constructor(subject: Subject, plan?: Plan) {
    this.subject = subject;
    this.plan = plan;
  }

  get nodes(): PlanSoFar {
    return this.plan ?? this.evaluation().nodes;
  }

  get totals() {
    const totals = totalsOf(this.nodes, this.subject.objects);
    if (this.plan === undefined) return totals;
    return { ...totals, planned: { ...plannedTotals(this.plan), ...this.heldCount(this.plan) } };
  }

  get boundary(): Boundary {
    this.asked ??= new Boundary(this.subject, this.cluster());
    return this.asked;
  }

  /** In slices; calls `progressed` with the share of the search that is done. */
  async makePlan(progressed: (share: number) => void): Promise<Plan> {
    const { work: all } = this.evaluation();
    this.plan = await planInSlices(this.subject, (work) => progressed(Math.min(0.99, work / all)));
    return this.plan;
  }

  private heldCount({ moves }: Plan): { readonly held?: number } {
    const { held = [] } = this.subject;
    const count = moves.filter((move) => heldBy(held, move) !== undefined).length;
    return count === 0 ? {} : { held: count };
  }

  private cluster(): CompiledCluster {
    this.compiled ??= compile(this.subject.objects, this.subject.settings);
    return this.compiled;
  }

  private evaluation(): Evaluated {
    this.evaluated ??= evaluated(this.subject, this.cluster());
    return this.evaluated;
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

  planView(plan: Plan): PlanView {
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

interface Evaluated {
  readonly nodes: PlanSoFar;
  /** Estimated simulated placements of the search. */
  readonly work: number;
}

/** The verdict of every node by itself. */
function evaluated(subject: Subject, cluster: CompiledCluster): Evaluated {
  const { settings, maxReplacements, work } = subject;
  const { rows, problem } = evaluate(cluster, rulesOf(subject), { maxReplacements });
  const nodes = rows.map(({ row, verdict }) => plannedNode(problem.simulation, row, verdict, settings.nodeBaseCost));
  const cost = planCost(problem.simulation, []);
  return {
    nodes: { nodes, moves: [], ...(cost === undefined ? {} : { totals: cost }) },
    work: work ?? defaultWork(problem),
  };
}

async function planInSlices(subject: Subject, worked: (work: number) => void): Promise<Plan> {
  const { objects, search, maxReplacements, work } = subject;
  const settings = { search, rules: rulesOf(subject), maxReplacements, work, loadMs: 0 };
  return inSlices(
    planSteps(objects, settings, () => performance.now()),
    (step) => worked(step.work),
  );
}
