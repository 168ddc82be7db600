import type { ClusterObjects } from '../cluster/objects.ts';
import { isSameList } from '../cluster/same-list.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { SearchProblem } from '../search/problem.ts';

function weighsTheSame(a: Candidate, b: Candidate): boolean {
  return (
    a.name === b.name &&
    a.evictionCost === b.evictionCost &&
    a.rescheduleCost === b.rescheduleCost &&
    a.disruptionCost === b.disruptionCost &&
    costsNoMore(a, b)
  );
}

/** Whether a move of node `a` with the same placements is as much worth now that it is `b`; costs fall as nodes come closer to expiry. */
export function costsNoMore(a: Candidate, b: Candidate): boolean {
  return (
    a.row === b.row &&
    a.pool === b.pool &&
    a.policy === b.policy &&
    a.price === b.price &&
    (a.policy.savingsThresholdCents === 0 || b.disruptionCost <= a.disruptionCost) &&
    a.autoPercent === undefined &&
    b.autoPercent === undefined &&
    a.methods.emptiness === b.methods.emptiness &&
    a.methods.single === b.methods.single &&
    a.methods.multi === b.methods.multi
  );
}

/** The input of a search without the simulation, so that the old cluster can be freed. */
export type AskedProblem = Omit<SearchProblem, 'simulation' | 'start' | 'knownAlone'> & {
  /** They decide which moves are made together. */
  readonly podDisruptionBudgets: ClusterObjects['podDisruptionBudgets'];
  readonly gate: string | undefined;
};

export function asked({
  simulation,
  candidates,
  totals,
  budgets,
  maxReplacements,
  mayFollow,
  maxWorkloadEvictions,
}: SearchProblem): AskedProblem {
  const { podDisruptionBudgets } = simulation.cluster.objects;
  const gate = simulation.gate?.key;
  return { candidates, totals, budgets, maxReplacements, mayFollow, maxWorkloadEvictions, podDisruptionBudgets, gate };
}

export function hasSameBudgets(a: AskedProblem, b: AskedProblem): boolean {
  return hasBudgets(a, b, Object.is);
}

/** What could be made at once can be made at once now. */
export function hasBudgetsOf(a: AskedProblem, b: AskedProblem): boolean {
  return hasBudgets(a, b, (before, now) => now >= before);
}

function hasBudgets(a: AskedProblem, b: AskedProblem, isLike: (before: number, now: number) => boolean): boolean {
  return (
    isSameList(a.podDisruptionBudgets, b.podDisruptionBudgets) &&
    a.maxWorkloadEvictions === 0 &&
    b.maxWorkloadEvictions === 0 &&
    areSameMaps(a.budgets.Empty, b.budgets.Empty, isLike) &&
    areSameMaps(a.budgets.Underutilized, b.budgets.Underutilized, isLike)
  );
}

/** On an unchanged cluster, both give the same moves. */
export function isSameProblem(a: AskedProblem, b: AskedProblem): boolean {
  return (
    a.candidates.length === b.candidates.length &&
    a.candidates.every((c, i) => weighsTheSame(c, b.candidates[i])) &&
    a.gate === b.gate &&
    a.maxReplacements === b.maxReplacements &&
    a.mayFollow === b.mayFollow &&
    hasSameBudgets(a, b) &&
    areSameMaps(a.totals, b.totals, (x, y) => x.cost === y.cost && x.disruptionCost === y.disruptionCost)
  );
}

function areSameMaps<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>, same: (x: T, y: T) => boolean): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !same(value, other)) return false;
  }
  return true;
}
