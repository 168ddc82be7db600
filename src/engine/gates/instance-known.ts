import { labelOf } from '../cluster/objects.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, ZONE } from '../cluster/well-known.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { NodeGate } from './node-in-question.ts';

/** Without type, capacity type and zone a node has no price to compare. */
export const instanceKnown: NodeGate = ({ cluster, row }) => {
  const { labels } = cluster.rows[row];
  const out: NodeRefusal[] = [];
  const instanceType = labels[INSTANCE_TYPE] ?? '';
  if (cluster.types.ofNode(labels) === undefined) out.push({ code: 'unknown-instance-type', instanceType });
  for (const label of [CAPACITY_TYPE, ZONE])
    if (labelOf(labels, label) === undefined) out.push({ code: 'missing-label', label });
  return out;
};
