import { durationOrNever } from '../../config/setting-types.ts';
import { type Candidate, isEmpty } from '../../engine/disruption/candidates.ts';
import { requiredSavings } from '../../engine/disruption/required-savings.ts';
import { evaluate } from '../../engine/pass/evaluation.ts';
import type { NodeVerdict } from '../../engine/pass/node-verdict.ts';
import { refusalText } from '../../engine/refusal-text.ts';
import type { CompiledCluster } from '../../engine/scheduling/compiled-cluster.ts';
import { configurationOf, type PoolBlock } from '../../lab/policy-configuration.ts';
import type {
  BoundaryAnswer,
  BoundaryPoints,
  BoundaryVerdict,
  EffectiveKnobs,
  SumOfSingles,
  WhatIfQuestion,
} from '../api.ts';
import { Names } from './names.ts';
import { policyOf } from './question.ts';
import { rulesOf, type Subject } from './subject.ts';
import { asksAbout, supposed } from './supposed.ts';

type Verdicts = ReadonlyMap<number, NodeVerdict>;

/** A threshold that no move reaches: its refusal then says what the move would have saved. */
const OUT_OF_REACH = 1e9;

const OPEN: WhatIfQuestion = { utilization: 1, grace: 'Never', policy: 'WhenUnderutilizedOrCheaper', minPercent: 0 };

/** Answers the sliders' question about one compiled cluster, repeatedly. */
export class Boundary {
  private readonly subject: Subject;
  private readonly cluster: CompiledCluster;
  private readonly now: Verdicts;
  /** By row: candidates that would go with every knob open, and what each would save. */
  private readonly savings: ReadonlyMap<number, { readonly candidate: Candidate; readonly cents: number }>;
  /** Verdicts without a threshold, for the other knobs as last asked. */
  private unbounded: { readonly key: string; readonly verdicts: Verdicts } | undefined;

  constructor(subject: Subject, cluster: CompiledCluster) {
    this.subject = subject;
    this.cluster = cluster;
    this.now = this.verdicts({});
    const savings = new Map<number, { candidate: Candidate; cents: number }>();
    for (const [row, { candidate, eligible, refusals, move }] of this.verdicts({ ...OPEN, threshold: OUT_OF_REACH })) {
      if (candidate === undefined || !eligible) continue;
      const below = refusals.find((r) => r.code === 'savings-below-threshold');
      savings.set(row, { candidate, cents: below?.savingsCentsPerHour ?? (move?.savings ?? 0) * 100 });
    }
    this.savings = savings;
  }

  /** `clock` in milliseconds; used only to report the duration. */
  answer(question: WhatIfQuestion, clock: () => number): Omit<BoundaryAnswer, 'version'> {
    const startedMs = clock();
    const asked = this.verdicts(question);
    const { threshold: _, ...others } = question;
    const unbounded = this.withoutThreshold(others);
    const pools = new Names();
    const reasons = new Names();
    const points = emptyPoints();
    const sums = { now: { ...NOTHING }, asked: { ...NOTHING } };
    for (const [row, { candidate, cents }] of this.savings) {
      if (!asksAbout(question, candidate.pool.name)) continue;
      const verdict = asked.get(row)!;
      const evictions = this.cluster.movableOfRow[row].length;
      const bound = verdict.candidate ?? candidate;
      points.node.push(candidate.name);
      points.pool.push(pools.numberOf(candidate.pool.name));
      points.centsPerHour.push(candidate.price * 100);
      points.disruptionCost.push(candidate.disruptionCost);
      points.savingsCentsPerHour.push(cents);
      points.requiredCentsPerHour.push(isExempt(candidate, evictions) ? 0 : requiredSavings([bound]).requiredCents);
      points.evictions.push(evictions);
      points.exempt.push(isExempt(candidate, evictions) ? 1 : 0);
      points.now.push(told(this.now.get(row)!));
      points.asked.push(told(verdict));
      points.unbounded.push(told(unbounded.get(row)!));
      points.reason.push(told(verdict) > 0 ? -1 : reasons.numberOf(reasonOf(verdict)));
      add(sums.now, this.now.get(row)!, evictions);
      add(sums.asked, verdict, evictions);
    }
    return {
      question,
      now: knobsOf(this.subject, question),
      names: { pools: pools.list, reasons: reasons.list },
      points,
      sums,
      configuration: configurationOf(policyOf(question), poolsOf(this.subject, question), question.pool === undefined),
      elapsedMs: clock() - startedMs,
    };
  }

  private withoutThreshold(others: WhatIfQuestion): Verdicts {
    const key = JSON.stringify(others);
    if (this.unbounded?.key !== key) this.unbounded = { key, verdicts: this.verdicts({ ...others, threshold: 0 }) };
    return this.unbounded.verdicts;
  }

  private verdicts(question: WhatIfQuestion): Verdicts {
    const subject = supposed(this.subject, question);
    // Nothing that is compiled depends on what a question changes.
    const cluster = { ...this.cluster, settings: subject.settings };
    return new Map(evaluate(cluster, rulesOf(subject)).rows.map(({ row, verdict }) => [row, verdict]));
  }
}

/** Savings are not weighed when a node without pods to move is deleted. */
function isExempt(candidate: Candidate, evictions: number): boolean {
  return isEmpty(candidate) && evictions === 0;
}

function told({ move, refusals }: NodeVerdict): BoundaryVerdict {
  if (move === undefined || refusals.length > 0) return 0;
  return move.kind === 'delete' ? 1 : 2;
}

function reasonOf({ refusals }: NodeVerdict): string {
  return refusals.length === 0 ? 'no cheaper node fits its pods' : refusalText(refusals[0]);
}

const NOTHING: SumOfSingles = { nodes: 0, savingsCentsPerHour: 0, evictions: 0 };

function add(sum: { -readonly [K in keyof SumOfSingles]: number }, verdict: NodeVerdict, evictions: number): void {
  if (told(verdict) === 0) return;
  sum.nodes++;
  sum.savingsCentsPerHour += (verdict.move?.savings ?? 0) * 100;
  sum.evictions += evictions;
}

function emptyPoints(): { [K in keyof BoundaryPoints]: BoundaryPoints[K][number][] } {
  return {
    node: [],
    pool: [],
    centsPerHour: [],
    disruptionCost: [],
    savingsCentsPerHour: [],
    requiredCentsPerHour: [],
    evictions: [],
    exempt: [],
    now: [],
    asked: [],
    unbounded: [],
    reason: [],
  };
}

/** The values that all pools in question share. */
function knobsOf({ policies, settings }: Subject, question: WhatIfQuestion): EffectiveKnobs {
  const asked = [...policies].flatMap(([pool, policy]) => (asksAbout(question, pool) ? [policy] : []));
  const common = <T>(values: readonly T[]): T | undefined => (new Set(values).size === 1 ? values[0] : undefined);
  return {
    threshold: common(asked.map((p) => p.savingsThresholdCents)),
    utilization: settings.utilizationThreshold,
    grace: common(asked.map((p) => durationOrNever(p.gracePeriodMs))),
    policy: common(asked.map((p) => p.policy)),
    minPercent: common(asked.map((p) => p.minSavingsPercent)),
  };
}

/** Distinct disruption blocks of the pools in question. */
function poolsOf({ objects }: Subject, question: WhatIfQuestion): readonly PoolBlock[] {
  return objects.nodePools
    .filter(({ name }) => asksAbout(question, name))
    .map(({ name, disruption = {} }) => ({ name, block: disruption }));
}
