import { members } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { CAPACITY_TYPE, SPOT } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PodShape } from '../scheduling/pod-shapes.ts';
import { type PossibleLaunch, possibleLaunches } from './launches.ts';
import { Reaches } from './reach.ts';

/** What plans can remove and launch. */
export interface PlanScope {
  readonly removable: readonly number[];
  /** Those that no plan can make have no finite price. */
  readonly launches: readonly PossibleLaunch[];
  readonly reaches: Reaches;
}

/**
 * While SpotToSpotConsolidation is off, a move launches spot nodes only if one of the nodes that it removes is not spot.
 *
 * Nodes and launches are connected if the same pod may run on both. Pods never leave what is connected with their node, and the
 * nodes of a minimal move share destinations or new nodes, so they are connected too. Where all removable nodes and all launches
 * are spot, only spot nodes are ever removed, so nothing is launched. Free capacity then only shrinks there: a node with a
 * pod that fits on no other node today stays.
 *
 * `bundled`: moves may consist of independent parts, as those of Karpenter's search do; then none of this holds.
 */
export function planScope(cluster: CompiledCluster, removable: readonly number[], bundled: boolean): PlanScope {
  const { rows, types, shapeOfPod, movableOfRow, pending, leaving } = cluster;
  const launches = possibleLaunches(cluster, removable);
  const reaches = new Reaches(cluster, launches);
  if (bundled || cluster.settings.compat || cluster.objects.options.spotToSpot) return { removable, launches, reaches };
  const connected = new DisjointSets(rows.length + launches.length);
  const oneOfReach = new Map<number, number | undefined>();
  /** One of the places that the pod can go to. */
  const placeFor = (pod: number) => {
    const id = reaches.of(shapeOfPod[pod] as PodShape);
    return getOrInsert(oneOfReach, id, () => {
      const reach = reaches.list[id];
      const places = [...members(reach.rows), ...[...members(reach.launches)].map((i) => rows.length + i)];
      for (const place of places) connected.join(places[0], place);
      return places[0];
    });
  };
  for (const row of removable) for (const pod of movableOfRow[row]) connected.join(row, placeFor(pod) ?? row);
  for (const pod of [...pending, ...leaving]) placeFor(pod);
  const withOthers = new Set<number>();
  for (const row of removable) if (rows[row].labels[CAPACITY_TYPE] !== SPOT) withOthers.add(connected.of(row));
  launches.forEach(({ kind }, i) => {
    if (types.kinds[kind].capacityType !== SPOT) withOthers.add(connected.of(rows.length + i));
  });
  const isSpotOnly = (place: number) => !withOthers.has(connected.of(place));
  return {
    removable: removable.filter(
      (row) => !isSpotOnly(row) || movableOfRow[row].every((pod) => fitsElsewhere(cluster, reaches, pod, row)),
    ),
    launches: launches.map((launch, i) => (isSpotOnly(rows.length + i) ? { ...launch, price: Infinity } : launch)),
    reaches,
  };
}

function fitsElsewhere(cluster: CompiledCluster, reaches: Reaches, pod: number, row: number): boolean {
  const { free, requests, requestOfPod, shapeOfPod } = cluster;
  const amounts = requests.amounts(requestOfPod[pod]);
  for (const other of members(reaches.list[reaches.of(shapeOfPod[pod] as PodShape)].rows))
    if (other !== row && free.every((column, d) => amounts[d] <= Math.max(0, column[other]))) return true;
  return false;
}

class DisjointSets {
  private readonly parent: Int32Array;

  constructor(size: number) {
    this.parent = Int32Array.from({ length: size }, (_, i) => i);
  }

  of(i: number): number {
    const { parent } = this;
    let root = i;
    while (parent[root] !== root) {
      parent[root] = parent[parent[root]];
      root = parent[root];
    }
    return root;
  }

  join(a: number, b: number): void {
    this.parent[this.of(b)] = this.of(a);
  }
}
