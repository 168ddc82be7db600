import { type NodeGate, PASS } from './node-in-question.ts';

/** An empty node on which the provisioner would put pods of a CapacityBuffer is that buffer's room. */
export const capacityBuffer: NodeGate = ({ cluster, row }) => {
  const held = cluster.bufferPlacements.get(row);
  if (held === undefined) return PASS;
  const buffers = [...new Set(held.map((pod) => cluster.pods[pod].capacityBuffer as string))].sort();
  return [{ code: 'capacity-buffer', buffers, pods: held.length }];
};
