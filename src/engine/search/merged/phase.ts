import type { Candidate } from '../../disruption/candidates.ts';
import { type Benefit, benefitOf, NO_BENEFIT } from '../net-benefit.ts';
import type { Draft } from './draft.ts';
import type { LaunchOptions } from './launch-options.ts';
import type { NewNodeCapacity } from './new-node-capacity.ts';
import type { NodeDemands } from './node-demand.ts';

/** How a draft is composed, so that many different ones can be tried. */
export interface Recipe {
  /** Nodes in the order in which they are tried; all others stay as they are. */
  readonly order: readonly Candidate[];
  /** This many from the front are to be emptied: no pods are placed on them while they are tried. */
  readonly emptied: number;
  /** A node that was to be emptied and cannot be deleted takes pods again at once; otherwise only after the exchanges. */
  readonly reuse: boolean;
  /** A node that fills a new one well enough is replaced alone at once; otherwise partners are tried first. */
  readonly alone: boolean;
  /** Nodes that are replaced together by one before anything else is tried. */
  readonly first?: readonly Candidate[];
}

/** What the phases of one composition work with. */
export interface Composition {
  readonly draft: Draft;
  readonly recipe: Recipe;
  readonly demands: NodeDemands;
  readonly launchOptions: LaunchOptions;
  readonly newNodes: NewNodeCapacity;
  /** Of replacing this node alone, as of the first time it was asked. */
  alone(c: Candidate): Benefit;
}

/** One phase of composing a draft. It may be left at any yield: the moves made until then are a plan too. */
export interface Phase {
  run(composition: Composition): Generator<void, void>;
}

/** The benefit of replacing each node alone, computed once. */
export function replacedAlone(draft: Draft): Composition['alone'] {
  const known = new Map<Candidate, Benefit>();
  return (c) => {
    let benefit = known.get(c);
    if (benefit === undefined) {
      const move = draft.trials.moveFor([c], draft.trials.problem.maxReplacements);
      benefit = move === undefined ? NO_BENEFIT : benefitOf([move]);
      known.set(c, benefit);
    }
    return benefit;
  };
}
