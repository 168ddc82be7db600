import { bitset } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import { Simulation } from './simulation.ts';

/** By row: the virtual pods of CapacityBuffers that a provisioning pass would place there now. */
export type BufferPlacements = ReadonlyMap<number, readonly number[]>;

/** Provisioning ignores the shield, and only moves pods of nodes being deleted. */
export function bufferPlacements(cluster: CompiledCluster): BufferPlacements {
  const placed = new Map<number, number[]>();
  if (!cluster.pending.some((pod) => cluster.pods[pod].capacityBuffer !== undefined)) return placed;
  const unshielded = { ...cluster, shielded: bitset(cluster.rows.length), unshielded: cluster.destinations };
  new Simulation(unshielded).removing([], ({ placements }) => {
    for (const { pod, row } of placements) {
      if (cluster.pods[pod].capacityBuffer === undefined) continue;
      getOrInsert(placed, row, () => []).push(pod);
    }
  });
  return placed;
}
