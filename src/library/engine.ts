import type { Compat } from '../config/compat.ts';
import { explainMove, type MoveExplanation } from '../engine/explanation/move-explanation.ts';
import { explainNode, type NodeExplanation } from '../engine/explanation/node-explanation.ts';
import { explainPod, type PodExplanation } from '../engine/explanation/pod-explanation.ts';
import type { Situation } from '../engine/explanation/situation.ts';
import { type PlanSettings, plan as planFor } from '../engine/plan.ts';
import type { Plan } from '../engine/plan-document.ts';
import type { Settings } from '../engine/settings.ts';
import { objectsOf, rulesOf, type Snapshot } from './snapshot.ts';

/** `decant/engine`: decisions as functions of a snapshot, in Node and in browsers. No I/O, clock or randomness. */

export interface PlanOptions {
  /** Decide exactly as that system does. */
  readonly compat?: Compat;
  /** Default: merged, unless compat is set. */
  readonly search?: 'merged' | 'karpenter';
  /** Overrides of the defaults; docs/settings.md lists them. */
  readonly settings?: Partial<Settings>;
  /** Limit on simulated placements of the merged search. */
  readonly work?: number;
  /** Milliseconds, only to report durations; without it they are 0. */
  readonly clock?: () => number;
}

export type Subject = { readonly node: string } | { readonly pod: string } | { readonly move: number };

export type Explanation = NodeExplanation | PodExplanation | MoveExplanation;

/** What to remove or replace, what that saves, and why every other node stays. */
export function plan(snapshot: Snapshot, options: PlanOptions = {}): Plan {
  return planOf(situationOf(snapshot, options), options);
}

/**
 * Why a node goes or stays and what would change that; where a pod could go ("namespace/name"); why a move was chosen
 * (1 is the first of the plan). undefined if there is no such thing. Ask with the plan's own options.
 */
export function explain(snapshot: Snapshot, subject: Subject, options: PlanOptions = {}): Explanation | undefined {
  const situation = situationOf(snapshot, options);
  // The cluster of the stage that makes the move.
  let { objects } = situation;
  const made = planOf(situation, options, (after, movesBefore) => {
    if ('move' in subject && movesBefore < subject.move) objects = after;
  });
  if ('node' in subject) return explainNode(situation, made, subject.node);
  if ('pod' in subject) return explainPod(situation, made, subject.pod);
  return explainMove({ ...situation, objects }, made, subject.move);
}

function situationOf(snapshot: Snapshot, { compat, settings = {} }: PlanOptions): Situation {
  const objects = objectsOf(snapshot);
  return { objects, rules: rulesOf(objects, compat, settings) };
}

function planOf(
  { objects, rules }: Situation,
  { compat, search, work, clock = () => 0 }: PlanOptions,
  onStage?: PlanSettings['onStage'],
): Plan {
  const kind = search ?? (compat === undefined ? 'merged' : 'karpenter');
  return planFor(objects, { search: kind, rules, work, onStage, loadMs: 0 }, clock);
}

export type { Plan } from '../engine/plan-document.ts';
export type { Settings } from '../engine/settings.ts';
export type { Snapshot } from './snapshot.ts';
