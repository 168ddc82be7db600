import type { Simulation } from './simulation.ts';

/**
 * `then`, after the pods that every run would place, pending ones and those of leaving nodes, have their places on other
 * rows than these: what is launched for them anyway is no part of a removal. Only if they need new nodes, and no more of
 * them without these rows.
 */
export function besidePending<T>(simulation: Simulation, rows: readonly number[], then: () => T): T {
  const taken = simulation.depth > 0 ? null : takenByPending(simulation);
  if (taken === null) return then();
  const { existing } = simulation;
  const own = rows.filter((row) => taken.includes(row));
  for (const row of own) existing.exclude(row, true);
  const placed = simulation.keepPending();
  for (const row of own) existing.exclude(row, false);
  if (placed.length < taken.length) simulation.undoTo(0);
  const result = then();
  simulation.undoTo(0);
  return result;
}

const known = new WeakMap<Simulation, readonly number[] | null>();

/** Where these pods go while no row is removed; null if none of them needs a new node. Found once, before any layer. */
export function takenByPending(simulation: Simulation): readonly number[] | null {
  const { pending, leaving } = simulation.cluster;
  if (pending.length + leaving.length === 0) return null;
  let taken = known.get(simulation);
  if (taken === undefined) {
    taken = simulation.removing([], ({ placements, claims }) =>
      claims.length > 0 ? placements.map(({ row }) => row) : null,
    );
    known.set(simulation, taken);
  }
  return taken;
}
