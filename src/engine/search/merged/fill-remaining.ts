import type { Candidate } from '../../disruption/candidates.ts';
import type { Move } from '../../moves/move.ts';
import { mayGoAtOnce } from '../approval.ts';
import { type Benefit, benefitOf, isGreater, sumOf } from '../net-benefit.ts';
import type { Trials } from '../trials.ts';
import { type FreeCapacity, freeOnNewNodes } from './new-node-capacity.ts';
import type { NodeDemand, NodeDemands } from './node-demand.ts';

/** Nodes that are tried for the capacity that is left, at most. */
const TRIES = 5;

/**
 * New nodes come in fixed sizes, so some capacity stays free: nodes whose pods fit there are deleted at no cost. The most
 * expensive are tried first; one is taken if that is worth more than what it would save alone.
 */
export function withRemainingFilled(
  trials: Trials,
  move: Move,
  others: readonly Candidate[],
  demands: NodeDemands,
  aloneOf: (c: Candidate) => Benefit,
): Move {
  const { cluster } = trials.problem.simulation;
  let best = move;
  const free = freeOnNewNodes(cluster, best.replacements);
  const fitting = others
    .filter((c) => fits(demands.get(c), free) && !move.candidates.includes(c))
    .sort((a, b) => b.price - a.price || (a.name < b.name ? -1 : 1));
  for (const c of fitting.slice(0, TRIES)) {
    if (!fits(demands.get(c), freeOnNewNodes(cluster, best.replacements))) continue;
    const larger = [...best.candidates, c];
    if (!mayGoAtOnce(trials.problem, larger)) break;
    const more = trials.moveFor(larger, Math.max(1, best.replacements.length));
    if (more !== undefined && isGreater(benefitOf([more]), sumOf([benefitOf([best]), aloneOf(c)]))) best = more;
  }
  return best;
}

function fits(demand: NodeDemand | undefined, free: FreeCapacity): boolean {
  return demand !== undefined && demand.cpu <= free.cpu && demand.memory <= free.memory;
}
