import { boundOf } from '../engine/bound/plan-bound.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { Plan, PlanBound } from '../engine/plan-document.ts';
import type { Rules } from '../engine/settings.ts';
import { highsSolver } from './highs-solver.ts';

/** How cheap the cluster could be at best. */
export async function proveBound(cluster: ClusterObjects, rules: Rules, plan: Plan): Promise<PlanBound> {
  return boundOf(cluster, rules, plan, await highsSolver());
}
