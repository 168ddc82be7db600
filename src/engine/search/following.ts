import type { Move } from '../policies/consolidate.ts';

/** Nodes of the moves whose new nodes this one's pods go to, by their rows; none if it follows nobody. */
export function hostsOf({ placements }: Move): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const { launchedFor } of placements) if (launchedFor !== undefined) rows.add(launchedFor);
  return rows;
}

/** The moves in groups that have nothing to do with each other: each with those that it follows, in their order. */
export function inChains(moves: readonly Move[]): readonly (readonly Move[])[] {
  const chainOf = new Map<number, readonly Move[]>();
  for (const move of moves) {
    const hosts = new Set([...hostsOf(move)].flatMap((row) => chainOf.get(row) ?? []));
    const chain = [...hosts, move];
    for (const { candidates } of chain) for (const { row } of candidates) chainOf.set(row, chain);
  }
  return [...new Set(chainOf.values())];
}
