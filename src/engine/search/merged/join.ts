import type { Candidate } from '../../disruption/candidates.ts';
import { isGreater } from '../net-benefit.ts';
import type { Composition } from './phase.ts';

/** Makes the move; where new nodes of earlier steps have free capacity, they are used if that makes the draft better. */
export function tryOrJoin(
  { draft, newNodes }: Composition,
  candidates: readonly Candidate[],
  maxReplacements: number,
): boolean {
  const { length } = draft;
  if (!draft.try(candidates, maxReplacements)) return false;
  // Independent parts are as good as they can be.
  if (draft.length > length + 1) return true;
  const { move } = draft.steps[length];
  const hosts = move.kind === 'delete' ? [] : newNodes.emptiest(draft.steps.slice(0, length));
  if (hosts.length === 0) return true;
  const { benefit } = draft;
  draft.undoTo(length);
  if (draft.tryJoining(candidates, hosts, maxReplacements) && isGreater(draft.benefit, benefit)) return true;
  draft.undoTo(length);
  return draft.tryAgain(move);
}

/** Deletes the node if its pods can join the new nodes of a step; `larger`: also if those have to be larger for it. */
export function joinBest({ draft, newNodes }: Composition, c: Candidate, larger: boolean): boolean {
  if (!draft.isFree(c)) return false;
  for (const index of newNodes.bestFor(c, draft.steps, larger)) {
    const { length, benefit } = draft;
    if (draft.tryJoining([c], [index], 0) && isGreater(draft.benefit, benefit)) return true;
    draft.undoTo(length);
  }
  return false;
}
