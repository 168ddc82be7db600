import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import type { MoveRefusal } from '../refusal.ts';
import { mayGoAtOnce } from './approval.ts';
import { netCents, PRICE_REFUSALS, type Trials } from './trials.ts';

/** Nodes that are exchanged together, at most. */
const LARGEST = 12;
/** Partners that are tried in vain, or make the group no better, before it is left as it is. */
const PATIENCE = 4;

/**
 * The best exchange of this node for something cheaper: alone, or together with others whose pods fill a new node
 * better. A group is worth what it saves beyond what its nodes would save alone, for what they cost.
 */
export function bestGroup(
  trials: Trials,
  seed: Candidate,
  partners: Iterable<Candidate>,
  singly: (c: Candidate) => number,
): Move | undefined {
  const { maxReplacements } = trials.problem;
  let group = [seed];
  let best: Move | undefined;
  let bestWorth = 0;
  let inVain = 0;
  const consider = (move: Move) => {
    const own = worth(move, singly);
    if (best !== undefined && own <= bestWorth) {
      inVain++;
      return;
    }
    inVain = 0;
    best = move;
    bestWorth = own;
  };
  const alone = trials.moveFor(group, maxReplacements);
  if (alone !== undefined) consider(alone);
  let failures = 0;
  for (const partner of partners) {
    if (group.length === LARGEST || failures === PATIENCE || inVain > PATIENCE) break;
    const larger = withPartner(trials, group, partner);
    if (larger === undefined) continue;
    if (trials.needMore(larger, maxReplacements)) {
      failures++;
      continue;
    }
    const result = trials.attempt(larger, maxReplacements);
    if ('move' in result) consider(result.move);
    else if (!mayImprove(result.refusal)) {
      failures++;
      continue;
    }
    group = larger;
  }
  return best;
}

/** The partner beside the others or, where no more of its pool may go at once, in the place of the last of those. */
function withPartner({ problem }: Trials, group: readonly Candidate[], partner: Candidate): Candidate[] | undefined {
  const larger = [...group, partner];
  if (mayGoAtOnce(problem, larger)) return larger;
  const last = group.findLastIndex((c) => c.pool === partner.pool);
  return last < 1 ? undefined : group.with(last, partner);
}

/** The pods have places, only not cheap enough ones; with more nodes the price may come right. */
function mayImprove(refusal: MoveRefusal | 'not-approved'): boolean {
  return refusal !== 'not-approved' && PRICE_REFUSALS.has(refusal.code);
}

function worth(move: Move, singly: (c: Candidate) => number): number {
  const price = move.candidates.reduce((sum, c) => sum + c.price, 0);
  const alone = move.candidates.reduce((sum, c) => sum + singly(c), 0);
  return (netCents(move) - alone) / Math.max(price, 1e-9);
}
