import { idleSinceMs } from './idle-since.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/**
 * With consolidation off, empty nodes are removed ttlSecondsAfterEmpty after their last pod (cluster consolidation
 * document). With consolidation on, the field is a validation error and ignored.
 */
export const emptyTtl: NodeGate = ({ cluster, row, policy }) => {
  const { claim } = cluster.rows[row];
  if (claim === undefined || policy?.ttlSecondsAfterEmpty === undefined || policy.consolidateAfterMs !== undefined)
    return PASS;
  const waitMs = idleSinceMs(claim) + policy.ttlSecondsAfterEmpty * 1000 - cluster.objects.nowMs;
  return waitMs > 0 ? [{ code: 'empty-ttl', waitMs }] : PASS;
};
