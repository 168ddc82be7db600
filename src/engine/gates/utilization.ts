import { conditionIsTrue } from '../cluster/state-nodes.ts';
import { lifetimeRemaining } from '../disruption/lifetime.ts';
import { usesLittle } from '../disruption/methods.ts';
import type { PoolPolicy } from '../disruption/pool-policy.ts';
import { isAtMost } from '../disruption/tolerance.ts';
import { movingShare, utilization } from '../disruption/utilization.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/** Nodes with less of their lifetime left are consolidated at any utilization. */
const LAST_TENTH = 0.1;

/** Well-utilized nodes stay, unless they are drifted or about to expire. */
export const utilizationGate: NodeGate = ({ cluster, row, policy, settings }) => {
  const threshold = settings.utilizationThreshold;
  if (threshold >= 1) return PASS;
  const used = usedShare(cluster, row, policy);
  if (isAtMost(used, threshold) || utilizationBypass(cluster, row) !== undefined) return PASS;
  return [{ code: 'utilization', utilization: used, threshold }];
};

/**
 * The compared utilization: for a nearly empty node (emptyThreshold) only the pods that would have to move, without
 * DaemonSets.
 */
export function usedShare(cluster: CompiledCluster, row: number, policy: PoolPolicy | undefined): number {
  const nearlyEmpty = policy?.emptiness.enabled === true && usesLittle(cluster, row, policy);
  return nearlyEmpty ? movingShare(cluster, row) : utilization(cluster, row);
}

/** Why a node may be removed at any utilization. */
export function utilizationBypass(cluster: CompiledCluster, row: number): 'drifted' | 'expiring' | undefined {
  const { claim } = cluster.rows[row];
  if (claim !== undefined && conditionIsTrue(claim, 'Drifted')) return 'drifted';
  return lifetimeRemaining(claim, cluster.objects.nowMs) <= LAST_TENTH ? 'expiring' : undefined;
}
