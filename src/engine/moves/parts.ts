import type { Candidate } from '../disruption/candidates.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Move } from './move.ts';

/**
 * Splits a move into independent parts: pods of two parts share neither a destination nor a new node. A move of one
 * part is minimal.
 */
export function partsOf({ rowOfPod }: CompiledCluster, { candidates, placements }: Move): readonly Candidate[][] {
  const partOf = new Map<number, Set<Candidate>>(candidates.map((c) => [c.row, new Set([c])]));
  const join = (a: number, b: number) => {
    const [into, from] = [partOf.get(a) as Set<Candidate>, partOf.get(b) as Set<Candidate>];
    if (into === from) return;
    for (const c of from) {
      into.add(c);
      partOf.set(c.row, into);
    }
  };
  /** By destination: a row whose pods go there. */
  const source = new Map<string, number>();
  for (const { pod, row, launchedFor } of placements) {
    const own = rowOfPod[pod];
    // A pending pod belongs to no node.
    if (!partOf.has(own)) continue;
    const destination = row < 0 ? `${launchedFor ?? 'new'} ${row}` : String(row);
    const other = source.get(destination);
    if (other === undefined) source.set(destination, own);
    else join(other, own);
  }
  return [...new Set(partOf.values())].map((part) => candidates.filter((c) => part.has(c)));
}

/** The part of a move with these nodes; its replacements are renumbered. */
export function partOf(cluster: CompiledCluster, move: Move, candidates: readonly Candidate[]): Move {
  const rows = new Set(candidates.map((c) => c.row));
  const own = move.placements.filter(({ pod }) => rows.has(cluster.rowOfPod[pod]));
  const isOwn = ({ row, launchedFor }: Move['placements'][number]) => row < 0 && launchedFor === undefined;
  const launched = [...new Set(own.filter(isOwn).map(({ row }) => -1 - row))].sort((a, b) => a - b);
  return {
    kind: launched.length === 0 ? 'delete' : 'replace',
    candidates,
    replacements: launched.map((k) => move.replacements[k]),
    placements: own.map((p) => (isOwn(p) ? { ...p, row: -1 - launched.indexOf(-1 - p.row) } : p)),
    // Evaluated again before it is made.
    savings: 0,
  };
}
