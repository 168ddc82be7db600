import { type Commitment, commitmentsOf } from '../cluster/commitment.ts';
import type { ClusterObjects, Offering } from '../cluster/objects.ts';
import type { Plan, PlanBound } from '../plan-document.ts';
import { compile } from '../scheduling/compile.ts';
import type { Rules } from '../settings.ts';
import type { LpSolver } from './linear-program.ts';
import { type BoundOptions, lowerBound } from './lower-bound.ts';

/** The least cost of the plan's cluster if only its candidates may be removed. */
export function boundOf(
  objects: ClusterObjects,
  rules: Rules,
  { nodes, totals, search }: Plan,
  solver: LpSolver,
): PlanBound {
  const candidates = new Set(nodes.filter((node) => node.candidate).map((node) => node.name));
  const dollarsPerHour = leastCost(objects, rules, candidates, solver, { bundled: search === 'karpenter' });
  // No plan is below the bound: the difference is rounding.
  const centsPerHour = Math.min(dollarsPerHour * 100, totals.plannedCentsPerHour);
  const gapPercent = centsPerHour > 0 ? (100 * (totals.plannedCentsPerHour - centsPerHour)) / centsPerHour : 0;
  return { centsPerHour, gapPercent, method: 'resources', converged: true };
}

/**
 * With commitments the cost is the greatest of several sums of prices, one for each set of commitments that are used up:
 * what only these could pay for costs its list price, less what they pay for, and everything else is free. A bound of any
 * of these sums is one of the cost.
 */
export function leastCost(
  objects: ClusterObjects,
  rules: Rules,
  candidates: ReadonlySet<string>,
  solver: LpSolver,
  options?: BoundOptions,
): number {
  const commitments = rules.settings.compat ? [] : commitmentsOf(objects.instanceTypes);
  const paid = commitments.reduce((sum, c) => sum + c.dollarsPerHour, 0);
  const bounds = usedUpSets(commitments).map((usedUp) => {
    const instanceTypes = objects.instanceTypes.map((type) => ({
      ...type,
      offerings: type.offerings.map((o) => pricedIf(o, usedUp)),
    }));
    const cluster = compile(commitments.length === 0 ? objects : { ...objects, instanceTypes }, rules.settings);
    const removable = cluster.rows.flatMap(({ name, tracked }, row) => (tracked && candidates.has(name) ? [row] : []));
    const bound = lowerBound(cluster, removable, solver, options);
    const covered = [...usedUp].reduce((sum, c) => sum + c.coversDollarsPerHour, 0);
    return bound + paid - covered;
  });
  return Math.max(...bounds);
}

function pricedIf({ coveredBy = [], ...offering }: Offering, usedUp: ReadonlySet<Commitment>): Offering {
  return coveredBy.every((c) => usedUp.has(c)) ? offering : { ...offering, price: 0 };
}

/** None, all, and each alone: every set would be one more program to solve. */
function usedUpSets(commitments: readonly Commitment[]): readonly ReadonlySet<Commitment>[] {
  const alone = commitments.length > 1 ? commitments.map((c) => [c]) : [];
  const none = commitments.length > 0 ? [[]] : [];
  return [commitments, ...none, ...alone].map((set) => new Set(set));
}
