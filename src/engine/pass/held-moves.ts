import type { PodObject } from '../cluster/objects.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../moves/move.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** A move by names, to try it in a later pass with other row and pod numbers. */
export interface HeldMove {
  readonly move: Move;
  readonly nodes: readonly string[];
  readonly pods: readonly PodObject[];
  /** Their destinations: a node's name, or the number of a replacement as in a Placement. */
  readonly places: readonly Place[];
}

/** Leaves out moves whose pods go to new nodes of other moves: they are planned together or not at all. */
export function heldMovesOf({ rows, pods }: CompiledCluster, moves: readonly Move[]): readonly HeldMove[] {
  return moves
    .filter(({ placements }) => placements.every(({ launchedFor }) => launchedFor === undefined))
    .map((move) => ({
      move,
      nodes: move.candidates.map((c) => c.name),
      pods: move.placements.map(({ pod }) => pods[pod]),
      places: move.placements.map(({ row }) => (row < 0 ? row : rows[row].name)),
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
  for (const { move, nodes, pods: planned, places } of moves) {
    const own = nodes.flatMap((name) => byName.get(name) ?? []);
    if (own.length < nodes.length) continue;
    const placeOf = new Map(planned.map((pod, i) => [pod, places[i]]));
    const placements: { pod: number; row: number }[] = [];
    const put = (pod: number, place: Place | undefined) => {
      const there = typeof place === 'string' ? rowOfNode.get(place) : place;
      if (there !== undefined) placements.push({ pod, row: there });
    };
    const others: number[] = [];
    for (const { row } of own) {
      for (const pod of podsOfRow[row]) {
        const place = placeOf.get(pods[pod]);
        if (place === undefined) others.push(pod);
        else put(pod, place);
        placeOf.delete(pods[pod]);
      }
    }
    const vacant = placeOf.size === 0 ? undefined : Map.groupBy(placeOf, ([pod]) => kindOf(pod));
    if (vacant !== undefined) for (const pod of others) put(pod, vacant.get(kindOf(pods[pod]))?.pop()?.[1]);
    out.push({ ...move, candidates: own, placements });
  }
  return out;
}

type Place = string | number;

function kindOf({ namespace, owners, requests }: PodObject): string {
  return `${namespace} ${owners[0]?.uid} ${requests.cpu} ${requests.memory}`;
}
