import type { Simulation } from '../scheduling/simulation.ts';
import type { Move } from './move.ts';
import { MoveCost } from './move-cost.ts';
import { unmetMinValues } from './replacement.ts';

/**
 * Replacing several nodes by one of a type among them is no better than keeping that one: excludes types at least as
 * expensive as the cheapest such node. undefined if nothing is left.
 */
export function withoutKeptTypes(simulation: Simulation, move: Move): Move | undefined {
  if (move.replacements.length !== 1) return move;
  const { cluster } = simulation;
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
  const cost = MoveCost.of(simulation, move.candidates);
  const worst = cost.worst(original.requirements);
  const replacement = { ...original, types: original.types.filter((t) => worst[t] < ceiling) };
  if (replacement.types.length === 0 || unmetMinValues(cluster, replacement).length > 0) return undefined;
  return { ...move, replacements: [replacement], savings: cost.savings([replacement]) };
}
