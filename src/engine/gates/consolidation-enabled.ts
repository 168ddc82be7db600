import { removesEmptyNodes } from '../disruption/methods.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/** Static pools and pools with consolidateAfter: Never are not consolidated. */
export const consolidationEnabled: NodeGate = ({ pool, policy }) => {
  if (pool === undefined || policy === undefined) return PASS;
  if (pool.replicas !== undefined) return [{ code: 'static-node-pool', nodePool: pool.name }];
  return policy.consolidateAfterMs === undefined ? [{ code: 'consolidation-disabled', nodePool: pool.name }] : PASS;
};

/** For empty nodes, which a TTL may remove with consolidation off. */
export const emptyRemovalEnabled: NodeGate = (q) =>
  q.pool?.replicas === undefined && q.policy !== undefined && removesEmptyNodes(q.policy)
    ? PASS
    : consolidationEnabled(q);
