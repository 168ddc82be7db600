import type { ClusterObjects } from '../cluster/objects.ts';
import type { Plan, PlanBound } from '../plan-document.ts';
import { compile } from '../scheduling/compile.ts';
import type { Rules } from '../settings.ts';
import type { RoundLimits } from './column-generation.ts';
import type { LpSolver } from './linear-program.ts';
import { lowerBound } from './lower-bound.ts';

/** The least cost of the plan's cluster if only its candidates may be removed. */
export function boundOf(
  objects: ClusterObjects,
  rules: Rules,
  { nodes, totals }: Plan,
  solver: LpSolver,
  limits: RoundLimits,
): PlanBound {
  const cluster = compile(objects, rules.settings);
  const candidates = new Set(nodes.filter((node) => node.candidate).map((node) => node.name));
  const removable = cluster.rows.flatMap(({ name, tracked }, row) => (tracked && candidates.has(name) ? [row] : []));
  const { dollarsPerHour, method, converged } = lowerBound(cluster, removable, solver, limits);
  // No plan is below the bound: the difference is rounding.
  const centsPerHour = Math.min(dollarsPerHour * 100, totals.plannedCentsPerHour);
  const gapPercent = centsPerHour > 0 ? (100 * (totals.plannedCentsPerHour - centsPerHour)) / centsPerHour : 0;
  return { centsPerHour, gapPercent, method, converged };
}
