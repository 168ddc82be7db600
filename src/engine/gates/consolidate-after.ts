import { conditionIsTrue } from '../cluster/state-nodes.ts';
import { idleSinceMs } from './idle-since.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/**
 * Nothing has happened on the node for consolidateAfter. Karpenter reads this off the Consolidatable condition,
 * which it writes itself; where Karpenter's own consolidation is off, the condition is not there, so by
 * ourselves we count from the last pod event.
 */
export const consolidateAfter: NodeGate = ({ cluster, row, policy, settings }) => {
  const { claim } = cluster.rows[row];
  if (claim === undefined || policy?.consolidateAfterMs === undefined) return PASS;
  const waitMs = Math.max(0, idleSinceMs(claim) + policy.consolidateAfterMs - cluster.objects.nowMs);
  const ready = settings.compat ? conditionIsTrue(claim, 'Consolidatable') : waitMs === 0;
  return ready ? PASS : [{ code: 'not-consolidatable', waitMs }];
};
