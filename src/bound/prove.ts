import { performance } from 'node:perf_hooks';
import { boundOf } from '../engine/bound/plan-bound.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { Plan, PlanBound } from '../engine/plan-document.ts';
import type { Rules } from '../engine/settings.ts';
import { highsSolver } from './highs-solver.ts';

/** Enough for all but the largest clusters; the result is valid after any number. */
const ROUNDS = 100;
const LONGEST_MS = 20_000;

/** How cheap the cluster could be at best; takes up to 20 seconds of one thread. */
export async function proveBound(cluster: ClusterObjects, rules: Rules, plan: Plan): Promise<PlanBound> {
  const solver = await highsSolver();
  const startedMs = performance.now();
  const stop = () => performance.now() - startedMs > LONGEST_MS;
  return boundOf(cluster, rules, plan, solver, { rounds: ROUNDS, stop });
}
