import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import type { PlannedMove } from '../plan-document.ts';
import type { Move } from '../policies/consolidate.ts';
import { emptiness, multiNode, singleNode } from '../policies/stock-methods.ts';
import type { SearchProblem } from './problem.ts';

export interface StockMove {
  readonly method: PlannedMove['method'];
  readonly move: Move;
}

/**
 * One pass of stock Karpenter: the first of its methods that has something to do does it; the others wait for the next
 * pass. `alone`: what is known of each node by itself.
 */
export function searchAsStock(
  { simulation, candidates, budgets, totals }: SearchProblem,
  alone: (c: Candidate) => Move | undefined,
): StockMove | undefined {
  const { settings, movableOfRow } = simulation.cluster;
  // Stock does not ask where pods go that cost nothing to move.
  const isBare = (c: Candidate) => isEmpty(c) && (settings.compat || movableOfRow[c.row].length === 0);
  // Each method uses its own up.
  const left = (reason: 'Empty' | 'Underutilized') => new Map(budgets[reason]);
  const empty = emptiness(candidates.filter(isBare), left('Empty'));
  if (empty !== undefined) return { method: 'emptiness', move: empty };
  const others = candidates.filter((c) => !isBare(c));
  const nearlyEmpty = singleNode(
    others.filter((c) => c.methods.emptiness),
    left('Empty'),
    (c) => deletion(alone(c)),
  );
  if (nearlyEmpty !== undefined) return { method: 'emptiness', move: nearlyEmpty };
  const together = others.filter((c) => c.methods.multi);
  const multi = multiNode(simulation, together, left('Underutilized'), totals);
  if (multi !== undefined) return { method: 'multi', move: multi };
  const single = singleNode(
    others.filter((c) => c.methods.single),
    left('Underutilized'),
    alone,
  );
  return single === undefined ? undefined : { method: 'single', move: single };
}

function deletion(move: Move | undefined): Move | undefined {
  return move?.kind === 'delete' ? move : undefined;
}
