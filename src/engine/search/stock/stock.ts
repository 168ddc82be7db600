import type { Move } from '../../moves/move.ts';
import type { BlockedMoves } from '../blocked-moves.ts';
import type { SearchProblem } from '../problem.ts';
import { emptiness } from './emptiness.ts';
import { multiNode } from './multi-node.ts';
import { singleNode } from './single-node.ts';
import type { StockMethod } from './stock-method.ts';

export interface StockMove {
  readonly method: StockMethod['name'];
  readonly move: Move;
}

const IN_ORDER: readonly StockMethod[] = [emptiness, multiNode, singleNode];

/** One pass of stock Karpenter: the first method that finds a move makes it; the others wait for the next pass. */
export function searchAsStock(problem: SearchProblem, blocked?: BlockedMoves): StockMove | undefined {
  for (const move of proposalsOfStock(problem, blocked)) return move;
  return undefined;
}

/** What each of stock's methods would do if those before it found nothing. */
export function* proposalsOfStock(problem: SearchProblem, blocked?: BlockedMoves): Generator<StockMove, void> {
  for (const { name, propose } of IN_ORDER) {
    const move = propose(problem, blocked);
    if (move !== undefined) yield { method: name, move };
  }
}
