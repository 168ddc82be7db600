import type { Candidate } from '../../disruption/candidates.ts';
import { joinBest } from './join.ts';
import type { Composition, Phase } from './phase.ts';

/**
 * Deletes nodes whose pods fit elsewhere. The first part of the order is to be emptied: those nodes take no pods while one
 * after the other is tried. A node that cannot go is skipped; it does not hold up those behind it.
 */
export const drain: Phase = {
  *run({ draft, recipe: { order, emptied, reuse, first = [] } }) {
    if (first.length > 0) draft.try(first, 1);
    const toEmpty = order.slice(0, emptied).filter((c) => draft.isFree(c));
    for (const c of toEmpty) draft.avoid(c, true);
    for (const c of toEmpty) {
      if (!draft.try([c], 0) && reuse) draft.avoid(c, false);
      yield;
    }
    yield* deleteEach(draft, order.slice(emptied));
  },
};

/** What could not be exchanged stays and takes pods again; nodes are deleted into that, and into new nodes of the draft. */
export const drainAgain: Phase = {
  *run(composition) {
    const { draft, recipe } = composition;
    for (const c of recipe.order) draft.avoid(c, false);
    yield* deleteEach(draft, recipe.order);
    for (const c of recipe.order) {
      joinBest(composition, c, true);
      yield;
    }
  },
};

function* deleteEach(draft: Composition['draft'], nodes: readonly Candidate[]): Generator<void, void> {
  for (const c of nodes) {
    draft.try([c], 0);
    yield;
  }
}
