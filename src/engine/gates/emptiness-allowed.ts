import { type NodeGate, PASS } from './node-in-question.ts';

export const emptinessAllowed: NodeGate = ({ pool, policy }) =>
  pool === undefined || policy === undefined || policy.emptiness.enabled
    ? PASS
    : [{ code: 'emptiness-disabled', nodePool: pool.name }];
