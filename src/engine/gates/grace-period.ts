import { type NodeGate, PASS } from './node-in-question.ts';

/** Evaluated before without result: not evaluated again until the window ends. */
export const gracePeriod: NodeGate = ({ cluster, pool, policy, protectedUntilMs }) => {
  if (protectedUntilMs === undefined || policy?.gracePeriodMs === undefined || pool?.replicas !== undefined)
    return PASS;
  const waitMs = protectedUntilMs - cluster.objects.nowMs;
  return waitMs > 0 ? [{ code: 'grace-period', waitMs }] : PASS;
};
