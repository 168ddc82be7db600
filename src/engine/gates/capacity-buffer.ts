import { type NodeGate, PASS } from './node-in-question.ts';

/** An empty node on which the provisioner would place pods of a CapacityBuffer stays. */
export const capacityBuffer: NodeGate = ({ cluster, row }) => {
  const held = cluster.bufferPlacements.get(row);
  if (held === undefined) return PASS;
  const buffers = [...new Set(held.map((pod) => cluster.pods[pod].capacityBuffer as string))].sort();
  return [{ code: 'capacity-buffer', buffers, pods: held.length }];
};
