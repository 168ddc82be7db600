import { type NodeGate, PASS } from './node-in-question.ts';

/** Evaluated before and found worth keeping: not asked again as a source until the window is over. */
export const gracePeriod: NodeGate = ({ cluster, pool, policy, protectedUntilMs }) => {
  if (protectedUntilMs === undefined || policy?.gracePeriodMs === undefined || pool?.replicas !== undefined)
    return PASS;
  const waitMs = protectedUntilMs - cluster.objects.nowMs;
  return waitMs > 0 ? [{ code: 'grace-period', waitMs }] : PASS;
};
