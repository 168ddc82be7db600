import type { Move } from '../engine/moves/move.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';

/**
 * Where each pod of a move was meant to go, by the pod's UID: a node, or a new one by its number. Only a help, so that of commands
 * which were planned together none takes the room of another when they are looked at again. It is not in the journal;
 * after a restart one of them may be given up, and is planned again.
 */
export type PlacementHints = ReadonlyMap<string, string | number>;

export function hintsFor({ pods, rows }: CompiledCluster, { placements }: Move): PlacementHints {
  return new Map(placements.map(({ pod, row }) => [pods[pod].uid, row < 0 ? row : rows[row].name]));
}

/** The hints in terms of this cluster: rows by pod, negative for a node that is still to be launched. */
export function hintedRows(
  { movableOfRow, pods, rowOfNode }: CompiledCluster,
  rows: readonly number[],
  hints: PlacementHints | undefined,
): ReadonlyMap<number, number> | undefined {
  if (hints === undefined) return undefined;
  const out = new Map<number, number>();
  for (const pod of rows.flatMap((row) => movableOfRow[row])) {
    const { uid } = pods[pod];
    const node = hints.get(uid);
    const row = typeof node === 'string' ? rowOfNode.get(node) : node;
    if (row !== undefined) out.set(pod, row);
  }
  return out;
}
