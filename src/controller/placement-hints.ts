import type { Move } from '../engine/policies/consolidate.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Command } from './command.ts';

/**
 * Where each pod of a move was meant to go, by the pod's UID: a node, or a replacement by its number. Only a help: a
 * tight packing that a long search found may not be found again by first fit. It is not in the journal; after a restart
 * such a command may be given up, and is planned again.
 */
export type PlacementHints = ReadonlyMap<string, { readonly node: string } | { readonly replacement: number }>;

export function hintsFor({ pods, rows }: CompiledCluster, { placements }: Move): PlacementHints {
  return new Map(
    placements.map(({ pod, row }) => [pods[pod].uid, row < 0 ? { replacement: -1 - row } : { node: rows[row].name }]),
  );
}

/** The hints in terms of this cluster: rows by pod, negative for a node that is still to be launched. */
export function hintedRows(
  cluster: CompiledCluster,
  rows: readonly number[],
  hints: PlacementHints | undefined,
  { replacements }: Command,
): ReadonlyMap<number, number> | undefined {
  if (hints === undefined) return undefined;
  const rowOfClaim = new Map(cluster.rows.map(({ claim }, row) => [claim?.name, row]));
  const out = new Map<number, number>();
  for (const row of rows) {
    for (const pod of cluster.movableOfRow[row]) {
      const hint = hints.get(cluster.pods[pod].uid);
      if (hint === undefined) continue;
      const target =
        'node' in hint
          ? cluster.rowOfNode.get(hint.node)
          : (rowOfClaim.get(replacements.at(hint.replacement)?.nodeClaim) ?? -1);
      if (target !== undefined) out.set(pod, target);
    }
  }
  return out;
}
