import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Move } from './move.ts';
import { cheaperThan, expectedPrice, unmetMinValues } from './replacement.ts';

/**
 * Replacing several nodes by one of a type among them is no better than keeping that one: excludes types at least as
 * expensive as the cheapest such node. undefined if nothing is left.
 */
export function withoutKeptTypes(cluster: CompiledCluster, move: Move): Move | undefined {
  if (move.replacements.length !== 1) return move;
  const [original] = move.replacements;
  const { types } = cluster;
  const cheapest = new Map<number, number>();
  for (const c of move.candidates) {
    const price = types.cheapestMatching(c.type, cluster.nodeSets.labelsOf(c.row));
    // By name: NodeOverlays may give a type a variant per pool.
    for (const type of types.ofSameName(c.type)) {
      const known = cheapest.get(type);
      if (price !== undefined)
        cheapest.set(type, Math.min(known === undefined || known === 0 ? Infinity : known, price));
      else if (known === undefined) cheapest.set(type, 0);
    }
  }
  let ceiling = Infinity;
  for (const t of original.types) ceiling = Math.min(ceiling, cheapest.get(t) ?? Infinity);
  const replacement = cheaperThan(cluster, original, ceiling);
  if (replacement.types.length === 0 || unmetMinValues(cluster, replacement).length > 0) return undefined;
  const price = move.candidates.reduce((sum, c) => sum + c.price, 0);
  return { ...move, replacements: [replacement], savings: price - expectedPrice(cluster, replacement) };
}
