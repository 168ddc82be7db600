import type { Candidate } from '../disruption/candidates.ts';
import type { Placement } from '../moves/move.ts';
import type { Simulation } from '../scheduling/simulation.ts';

interface Waiting {
  readonly simulation: Simulation;
  readonly candidates: readonly Pick<Candidate, 'row' | 'price'>[];
}

/** Places pending pods, once for all moves to come, and returns the rows that take them: those stay. */
export function settlePending(waiting: Waiting): ReadonlySet<number> {
  const { simulation } = waiting;
  const placed = sparing(simulation, sparedByPending(waiting), () => simulation.keepPending());
  return new Set(placed.map(({ row }) => row));
}

/** The placements of `settlePending`. */
export function placesOfPending(waiting: Waiting): readonly Placement[] {
  const { simulation } = waiting;
  return sparing(simulation, sparedByPending(waiting), () =>
    simulation.removing([], ({ placements }) => placements.map(({ pod, row }) => ({ pod, row }))),
  );
}

/**
 * Rows to keep free of pending pods: the most expensive candidates, as long as no pod needs a new node for it. The
 * first fitting node, which Karpenter would choose, may be the one most worth removing.
 */
export function sparedByPending({ simulation, candidates }: Waiting): readonly number[] {
  const { pending, leaving } = simulation.cluster;
  if (pending.length + leaving.length === 0) return [];
  const planned = new Set(simulation.plannedRows.values());
  const free = candidates.filter((c) => !planned.has(c.row));
  const byPrice = free.toSorted((a, b) => b.price - a.price || b.row - a.row).map((c) => c.row);
  const withoutPlace = () =>
    simulation.removing([], ({ claims, unplaced }) =>
      claims.reduce((sum, { pods }) => sum + pods.length, unplaced.length),
    );
  const least = withoutPlace();
  let low = 0;
  let high = byPrice.length;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (sparing(simulation, byPrice.slice(0, middle), withoutPlace) <= least) low = middle;
    else high = middle - 1;
  }
  return byPrice.slice(0, low);
}

function sparing<T>({ existing }: Simulation, rows: readonly number[], then: () => T): T {
  for (const row of rows) existing.exclude(row, true);
  const result = then();
  for (const row of rows) existing.exclude(row, false);
  return result;
}
