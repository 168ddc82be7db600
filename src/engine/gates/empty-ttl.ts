import { idleSinceMs } from './idle-since.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/**
 * Where consolidation is off, empty nodes go ttlSecondsAfterEmpty after their last pod has (cluster
 * consolidation document). Beside consolidation the field is a validation error, and counts for nothing.
 */
export const emptyTtl: NodeGate = ({ cluster, row, policy }) => {
  const { claim } = cluster.rows[row];
  if (claim === undefined || policy?.ttlSecondsAfterEmpty === undefined || policy.consolidateAfterMs !== undefined)
    return PASS;
  const waitMs = idleSinceMs(claim) + policy.ttlSecondsAfterEmpty * 1000 - cluster.objects.nowMs;
  return waitMs > 0 ? [{ code: 'empty-ttl', waitMs }] : PASS;
};
