import type { Candidate } from '../../disruption/candidates.ts';
import type { Composition } from './phase.ts';

/** Makes the move; where new nodes of earlier steps have free capacity, they are used if that makes the draft better. */
export function tryOrJoin(
  { draft, newNodes }: Composition,
  candidates: readonly Candidate[],
  maxReplacements: number,
): boolean {
  const { length } = draft;
  if (!draft.try(candidates, maxReplacements)) return false;
  const { move } = draft.steps[length];
  const hosts = move.kind === 'delete' ? [] : newNodes.emptiest(draft.steps.slice(0, length));
  if (hosts.length === 0) return true;
  const { netCents } = draft;
  draft.undoTo(length);
  if (draft.tryJoining(candidates, hosts, maxReplacements) && draft.netCents > netCents + 1e-9) return true;
  draft.undoTo(length);
  return draft.tryAgain(move);
}

/** Deletes the node if its pods can join the new nodes of a step; `larger`: also if those have to be larger for it. */
export function joinBest({ draft, newNodes }: Composition, c: Candidate, larger: boolean): boolean {
  if (!draft.isFree(c)) return false;
  for (const index of newNodes.bestFor(c, draft.steps, larger)) {
    const { length, netCents } = draft;
    if (draft.tryJoining([c], [index], 0) && draft.netCents > netCents + 1e-9) return true;
    draft.undoTo(length);
  }
  return false;
}
