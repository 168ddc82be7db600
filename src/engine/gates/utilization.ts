import { conditionIsTrue } from '../cluster/state-nodes.ts';
import { lifetimeRemaining } from '../disruption/lifetime.ts';
import { utilization } from '../disruption/utilization.ts';
import { type NodeGate, PASS } from './node-in-question.ts';

/** Nodes with less of their life left than this are consolidated however busy they are. */
const LAST_TENTH = 0.1;

/** Well-used nodes stay, unless they are drifted or about to expire anyway. */
export const utilizationGate: NodeGate = ({ cluster, row, settings }) => {
  const threshold = settings.utilizationThreshold;
  if (threshold >= 1) return PASS;
  const used = utilization(cluster, row);
  const { claim } = cluster.rows[row];
  const drifted = claim !== undefined && conditionIsTrue(claim, 'Drifted');
  const bypassed = drifted || lifetimeRemaining(claim, cluster.objects.nowMs) <= LAST_TENTH;
  return used > threshold && !bypassed ? [{ code: 'utilization', utilization: used, threshold }] : PASS;
};
