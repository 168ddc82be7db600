import type { Move } from '../moves/move.ts';
import type { SearchProblem } from './problem.ts';

/** With more candidates than this, later moves do not use new nodes of earlier ones. */
const FEW = 100;

/** Whether pods of later moves may use new nodes of earlier ones. */
export function isFollowing({ mayFollow, candidates }: Pick<SearchProblem, 'mayFollow' | 'candidates'>): boolean {
  return mayFollow && candidates.length <= FEW;
}

/** Rows of the moves whose new nodes this move's pods use; empty if none. */
export function hostsOf({ placements }: Move): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const { launchedFor } of placements) if (launchedFor !== undefined) rows.add(launchedFor);
  return rows;
}

/** The moves in independent groups, each with those that it depends on, in order. */
export function inChains(moves: readonly Move[]): readonly (readonly Move[])[] {
  const chainOf = new Map<number, readonly Move[]>();
  for (const move of moves) {
    const hosts = new Set([...hostsOf(move)].flatMap((row) => chainOf.get(row) ?? []));
    const chain = [...hosts, move];
    for (const { candidates } of chain) for (const { row } of candidates) chainOf.set(row, chain);
  }
  return [...new Set(chainOf.values())];
}
