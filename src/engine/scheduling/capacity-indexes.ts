import type { CompiledCluster } from './compiled-cluster.ts';
import { freeForMoves } from './destinations.ts';
import { FreeCapacityIndex } from './free-capacity-index.ts';

type Indexes = Pick<CompiledCluster, 'freeIndex' | 'moveIndex'>;

/**
 * By column: the indexes of free capacity, the same ones if there is no reserve. Peaks leave reserves on as many nodes as lose
 * pods: without an index of its own, every pod that moves would be tried on each of them. `last`: of a cluster with the same
 * rows, perhaps fewer; its sets are changed and kept.
 */
export function capacityIndexes(
  cluster: Pick<CompiledCluster, 'free' | 'reserve' | 'requests'>,
  last: Indexes | undefined,
): Indexes {
  const { free, reserve, requests } = cluster;
  const freeIndex = free.map((column, d) => new FreeCapacityIndex(column, requests.askedOf(d), last?.freeIndex[d]));
  if (reserve === undefined) return { freeIndex, moveIndex: freeIndex };
  const before = last?.moveIndex === last?.freeIndex ? undefined : last?.moveIndex;
  const moveIndex = free.map((column, d) => {
    const usable = column.map((_, row) => freeForMoves(cluster, d, row));
    return new FreeCapacityIndex(usable, requests.askedOf(d), before?.[d]);
  });
  return { freeIndex, moveIndex };
}
