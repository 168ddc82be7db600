import type { PodObject } from '../cluster/objects.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../moves/move.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** A move by names, to try it in a later pass with other row and pod numbers. */
export interface HeldMove {
  readonly move: Move;
  readonly nodes: readonly string[];
  /** Destinations: a node's name, or the number of a replacement as in a Placement. */
  readonly places: ReadonlyMap<PodObject, Place>;
}

/** Leaves out moves whose pods go to new nodes of other moves: they are planned together or not at all. */
export function held({ rows, pods }: CompiledCluster, moves: readonly Move[]): readonly HeldMove[] {
  return moves
    .filter(({ placements }) => placements.every(({ launchedFor }) => launchedFor === undefined))
    .map((move) => ({
      move,
      nodes: move.candidates.map((c) => c.name),
      places: new Map(move.placements.map(({ pod, row }) => [pods[pod], row < 0 ? row : rows[row].name])),
    }));
}

/** The moves whose nodes are all still candidates, with this cluster's numbers; the search checks whether they are valid. */
export function inNumbersOf(
  { podsOfRow, pods, rowOfNode }: CompiledCluster,
  moves: readonly HeldMove[],
  candidates: readonly Candidate[],
): readonly Move[] {
  const byName = new Map(candidates.map((c) => [c.name, c]));
  const out: Move[] = [];
  for (const { move, nodes, places } of moves) {
    const own = nodes.flatMap((name) => byName.get(name) ?? []);
    if (own.length < nodes.length) continue;
    const present = own.flatMap(({ row }) => podsOfRow[row]);
    const vacant = vacantPlaces(places, new Set(present.map((pod) => pods[pod])));
    const placements: { pod: number; row: number }[] = [];
    for (const pod of present) {
      const place = places.get(pods[pod]) ?? vacant.get(kindOf(pods[pod]))?.pop();
      const there = typeof place === 'string' ? rowOfNode.get(place) : place;
      if (there !== undefined) placements.push({ pod, row: there });
    }
    out.push({ ...move, candidates: own, placements });
  }
  return out;
}

type Place = string | number;

/** Places of pods that are gone, for new pods of the same workload. */
function vacantPlaces(
  places: ReadonlyMap<PodObject, Place>,
  present: ReadonlySet<PodObject>,
): ReadonlyMap<string, Place[]> {
  const out = new Map<string, Place[]>();
  for (const [pod, place] of places) {
    if (present.has(pod)) continue;
    const kind = kindOf(pod);
    out.set(kind, [...(out.get(kind) ?? []), place]);
  }
  return out;
}

function kindOf({ namespace, owners, requests }: PodObject): string {
  return `${namespace} ${owners[0]?.uid} ${requests.cpu} ${requests.memory}`;
}
