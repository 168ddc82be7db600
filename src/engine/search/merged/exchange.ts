import type { Candidate } from '../../disruption/candidates.ts';
import type { Move } from '../../moves/move.ts';
import { PRICE_REFUSALS } from '../../moves/replacement-prices.ts';
import type { MoveRefusal } from '../../refusal.ts';
import { mayGoAtOnce } from '../approval.ts';
import { netCents } from '../net-benefit.ts';
import type { Trials } from '../trials.ts';
import { withRemainingFilled } from './fill-remaining.ts';
import { joinBest, tryOrJoin } from './join.ts';
import { Partners } from './partners.ts';
import type { Composition, Phase } from './phase.ts';

/** Nodes that are replaced together, at most. */
const LARGEST = 12;
/** Partners that fail, or make the group no better, before the group is left as it is. */
const PATIENCE = 4;

/** Replaces each remaining node by a cheaper one, alone or with partners, whichever is worth more. */
export const exchange: Phase = {
  *run(composition) {
    const { draft, recipe, demands, alone } = composition;
    const { trials } = draft;
    const nodes = recipe.order.filter((c) => draft.isFree(c) && (c.methods.single || c.methods.multi));
    const partners = new Partners(nodes, demands);
    yield;
    const isFree = (c: Candidate) => draft.isFree(c);
    for (const seed of nodes) {
      if (!isFree(seed)) continue;
      if (joinBest(composition, seed, false)) {
        yield;
        continue;
      }
      const group = bestGroup(trials, seed, partners.of(seed, isFree), alone);
      if (group !== undefined) {
        const others = partners.inPoolOf(seed).filter(isFree);
        const move = withRemainingFilled(trials, group, others, demands, alone);
        tryOrJoin(composition, move.candidates, trials.problem.maxReplacements);
      } else draft.avoid(seed, false);
      yield;
    }
  },
};

/**
 * The best replacement of this node: alone, or together with others whose pods fill a new node better. A group is worth what
 * it saves beyond what its nodes would save alone, relative to their price.
 */
export function bestGroup(
  trials: Trials,
  seed: Candidate,
  partners: Iterable<Candidate>,
  aloneOf: Composition['alone'],
): Move | undefined {
  const { maxReplacements } = trials.problem;
  let group = [seed];
  let best: Move | undefined;
  let bestWorth = 0;
  let noBetter = 0;
  const consider = (move: Move) => {
    const own = worth(move, aloneOf);
    if (best !== undefined && own <= bestWorth) {
      noBetter++;
      return;
    }
    noBetter = 0;
    best = move;
    bestWorth = own;
  };
  const alone = trials.moveFor(group, maxReplacements);
  if (alone !== undefined) consider(alone);
  let failures = 0;
  for (const partner of partners) {
    if (group.length === LARGEST || failures === PATIENCE || noBetter > PATIENCE) break;
    const larger = withPartner(trials, group, partner);
    if (larger === undefined) continue;
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

/** The partner beside the others or, where no more of its pool may go at once, instead of the last of those. */
function withPartner({ problem }: Trials, group: readonly Candidate[], partner: Candidate): Candidate[] | undefined {
  const larger = [...group, partner];
  if (mayGoAtOnce(problem, larger)) return larger;
  const last = group.findLastIndex((c) => c.pool === partner.pool);
  return last < 1 ? undefined : group.with(last, partner);
}

/** The pods have places, only not cheap enough ones; with more nodes the price may be low enough. */
function mayImprove(refusal: MoveRefusal | 'not-approved'): boolean {
  return refusal !== 'not-approved' && PRICE_REFUSALS.has(refusal.code);
}

function worth(move: Move, aloneOf: Composition['alone']): number {
  const price = move.candidates.reduce((sum, c) => sum + c.price, 0);
  const alone = move.candidates.reduce((sum, c) => sum + aloneOf(c).netCents, 0);
  return (netCents(move) - alone) / Math.max(price, 1e-9);
}
