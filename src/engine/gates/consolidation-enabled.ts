import { type NodeGate, PASS } from './node-in-question.ts';

/** Static pools and pools with consolidateAfter: Never are left alone. */
export const consolidationEnabled: NodeGate = ({ pool, policy }) => {
  if (pool === undefined || policy === undefined) return PASS;
  if (pool.replicas !== undefined) return [{ code: 'static-node-pool', nodePool: pool.name }];
  return policy.consolidateAfterMs === undefined ? [{ code: 'consolidation-disabled', nodePool: pool.name }] : PASS;
};
