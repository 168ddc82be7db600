import type { NodeRefusal } from '../refusal.ts';
import { type Change, withChange } from './change.ts';
import { nodeFixes } from './fixes.ts';
import { isAboutMove } from './gate-names.ts';
import type { NodeTrial, NodeTrials } from './trial.ts';

/** How the node fares when what refuses is lifted, gate after gate, until its removal can be simulated. */
export interface Ladder {
  /** Of every gate for nodes, also those that stand behind one that refuses already. */
  readonly nodeRefusals: readonly NodeRefusal[];
  /** The last trial: it weighed the move, unless some refusal cannot be lifted. */
  readonly last: NodeTrial;
  /** What had to be assumed for that; nothing if the gates for nodes let it pass. */
  readonly assumed: readonly Change[];
}

/** Gates that ask whether a node may go at all, then those that ask by which method; Karpenter's own mark comes last. */
const RUNGS = 3;

export function climb(trials: NodeTrials, first: NodeTrial): Ladder {
  const nodeRefusals: NodeRefusal[] = [];
  let last = first;
  let assumed: readonly Change[] = [];
  for (let rung = 0; rung < RUNGS; rung++) {
    const refusals = last.refusals.filter((r): r is NodeRefusal => !isAboutMove(r));
    if (refusals.length === 0) break;
    // A window that is over may still have to be marked as such: that is no second reason.
    nodeRefusals.push(...refusals.filter((r) => rung === 0 || nodeRefusals.every((known) => known.code !== r.code)));
    const fixes = refusals.map((r) => nodeFixes(r, last));
    if (fixes.some((f) => f.length === 0)) break;
    assumed = fixes.map(([likeliest]) => likeliest).reduce(withChange, assumed);
    last = trials.run(assumed);
  }
  return { nodeRefusals, last, assumed };
}
