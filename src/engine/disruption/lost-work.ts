import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Candidate } from './candidates.ts';
import { podCents } from './pod-price.ts';

const HOUR_MS = 3_600_000;

/**
 * Share of the money that lost work counts for. At full price moves wait until nodes cost 4 % more than stock's on the
 * Azure trace; at a third they cost what stock's do (designs/policies.md).
 */
const WEIGHT = 1 / 3;

/** The cost in cents of restarting evicted Job pods: the time they have run, at their share of the node's price. */
export function lostWorkCents(cluster: CompiledCluster, candidates: readonly Candidate[]): number {
  let cents = 0;
  for (const { row, price } of candidates) {
    const { node } = cluster.rows[row];
    if (node === undefined) continue;
    for (const i of cluster.movableOfRow[row]) {
      const pod = cluster.pods[i];
      if (!cluster.facts[i].ofJob) continue;
      const hours = Math.max(0, cluster.objects.nowMs - (pod.startedMs ?? pod.createdMs)) / HOUR_MS;
      cents += podCents(pod, price, node.allocatable) * hours;
    }
  }
  return WEIGHT * cents;
}
