import type { Move } from '../engine/moves/move.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Command } from './command.ts';

/** Limit on placements of a command in the journal: about 40 KB of an object that may have 1.5 MB. */
const MOST_PLACEMENTS = 500;

const NEW = /^new-([1-9][0-9]*)$/;

/** Planned destinations as in the journal: by the pod's UID, a node or `new-1` … */
export function placementsOf({ pods, rows }: CompiledCluster, { placements }: Move): Command['placements'] {
  const kept = placements.slice(0, MOST_PLACEMENTS);
  return Object.fromEntries(kept.map(({ pod, row }) => [pods[pod].uid, row < 0 ? `new${row}` : rows[row].name]));
}

/** The number of the replacement that a pod is planned to go to; undefined if it goes to a running node. */
export function replacementNumber(place: string): number | undefined {
  const [, number] = NEW.exec(place) ?? [];
  return number === undefined ? undefined : Number(number);
}

/** Planned destinations in this cluster: rows by pod, negative for a replacement that is not running yet. */
export function hintedRows(
  { movableOfRow, pods, rowOfNode }: CompiledCluster,
  rows: readonly number[],
  placements: Command['placements'],
  rowOfReplacement: (number: number) => number | undefined = (number) => -number,
): ReadonlyMap<number, number> | undefined {
  if (placements === undefined) return undefined;
  const out = new Map<number, number>();
  for (const pod of rows.flatMap((row) => movableOfRow[row])) {
    const planned = placements[pods[pod].uid];
    if (planned === undefined) continue;
    const number = replacementNumber(planned);
    const row = number === undefined ? rowOfNode.get(planned) : rowOfReplacement(number);
    if (row !== undefined) out.set(pod, row);
  }
  return out;
}
