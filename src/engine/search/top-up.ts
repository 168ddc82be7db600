import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import { mayGoAtOnce } from './approval.ts';
import type { Usage } from './order.ts';
import { type Room, roomOn } from './room.ts';
import { netCents, type Trials } from './trials.ts';

/** Nodes that are tried for the room that is left, at most. */
const TRIES = 5;

/**
 * New nodes come in sizes, so there is room left on them: other nodes whose pods fit into it go too, at no price. The
 * dearest are tried first; one is taken if that is worth more than what it would bring alone.
 */
export function toppedUp(
  trials: Trials,
  move: Move,
  others: readonly Candidate[],
  usage: ReadonlyMap<Candidate, Usage>,
  singly: (c: Candidate) => number,
): Move {
  const { cluster } = trials.problem.simulation;
  let best = move;
  const room = roomOn(cluster, best.replacements);
  const fitting = others
    .filter((c) => fits(usage.get(c), room) && !move.candidates.includes(c))
    .sort((a, b) => b.price - a.price || (a.name < b.name ? -1 : 1));
  for (const c of fitting.slice(0, TRIES)) {
    if (!fits(usage.get(c), roomOn(cluster, best.replacements))) continue;
    const larger = [...best.candidates, c];
    if (!mayGoAtOnce(trials.problem, larger)) break;
    const more = trials.moveFor(larger, Math.max(1, best.replacements.length));
    if (more !== undefined && netCents(more) > netCents(best) + singly(c)) best = more;
  }
  return best;
}

function fits(usage: Usage | undefined, room: Room): boolean {
  return usage !== undefined && usage.cpu <= room.cpu && usage.memory <= room.memory;
}
