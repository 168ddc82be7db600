import { conditionIsTrue } from '../cluster/state-nodes.ts';
import { idleSinceMs } from './idle-since.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/**
 * The node was idle for consolidateAfter. Karpenter uses the Consolidatable condition, which it sets itself; with
 * Karpenter's consolidation off there is no condition, so Decant counts from the last pod event.
 */
export const consolidateAfter: NodeGate = ({ cluster, row, policy, settings }) => {
  const { claim } = cluster.rows[row];
  if (claim === undefined || policy?.consolidateAfterMs === undefined) return PASS;
  const waitMs = Math.max(0, idleSinceMs(claim) + policy.consolidateAfterMs - cluster.objects.nowMs);
  const ready = settings.compat ? conditionIsTrue(claim, 'Consolidatable') : waitMs === 0;
  return ready ? PASS : [{ code: 'not-consolidatable', waitMs }];
};

/** If so many nodes of a pool wait, waiting may not help: the next pod restarts their windows. */
export function isRestless(waiting: number, nodes: number): boolean {
  return waiting >= 2 && 2 * waiting > nodes;
}
