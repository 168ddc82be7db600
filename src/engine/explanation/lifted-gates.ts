import type { NodeRefusal } from '../refusal.ts';
import { type Change, withChange } from './change.ts';
import { nodeFixes } from './fixes.ts';
import { isAboutMove } from './gate-names.ts';
import type { NodeTrial, NodeTrials } from './trial.ts';

/** The node's trials as refusals are lifted, gate after gate, until its removal can be simulated. */
export interface LiftedGates {
  /** Refusals of every gate for nodes, including those behind the first refusal. */
  readonly nodeRefusals: readonly NodeRefusal[];
  /** The last trial: it evaluated the move, unless some refusal cannot be lifted. */
  readonly last: NodeTrial;
  /** What had to be assumed for that; empty if the gates for nodes passed. */
  readonly assumed: readonly Change[];
}

/** Gates on whether a node may be removed at all, then those of the methods, then Karpenter's own condition. */
const STAGES = 3;

export function liftGates(trials: NodeTrials, first: NodeTrial): LiftedGates {
  const nodeRefusals: NodeRefusal[] = [];
  let last = first;
  let assumed: readonly Change[] = [];
  for (let stage = 0; stage < STAGES; stage++) {
    const refusals = last.refusals.filter((r): r is NodeRefusal => !isAboutMove(r));
    if (refusals.length === 0) break;
    // A window that has passed may still have to be marked: that is not a second reason.
    nodeRefusals.push(...refusals.filter((r) => stage === 0 || nodeRefusals.every((known) => known.code !== r.code)));
    const fixes = refusals.map((r) => nodeFixes(r, last));
    if (fixes.some((f) => f.length === 0)) break;
    assumed = fixes.map(([likeliest]) => likeliest).reduce(withChange, assumed);
    last = trials.run(assumed);
  }
  return { nodeRefusals, last, assumed };
}
