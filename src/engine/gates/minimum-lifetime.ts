import { type NodeGate, PASS } from './node-in-question.ts';

/**
 * A node that was just initialized stays: volumes may still be binding, pods may still be scheduled. Pools that set
 * consolidateAfter decide this themselves.
 */
export const minimumLifetime: NodeGate = ({ cluster, row, policy, settings }) => {
  if (policy?.setsConsolidateAfter === true && !settings.minNodeLifetimeForAll) return PASS;
  const { claim } = cluster.rows[row];
  const initialized = claim?.conditions.find((c) => c.type === 'Initialized' && c.status === 'True');
  if (initialized === undefined) return PASS;
  const waitMs = initialized.changedMs + settings.minNodeLifetimeMs - cluster.objects.nowMs;
  return waitMs > 0 ? [{ code: 'minimum-lifetime', waitMs }] : PASS;
};
