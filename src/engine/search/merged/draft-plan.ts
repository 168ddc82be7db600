import { isEmpty } from '../../disruption/candidates.ts';
import type { Move } from '../../moves/move.ts';
import { pricedInOrder } from '../../moves/move-cost.ts';
import type { CompiledCluster } from '../../scheduling/compiled-cluster.ts';
import type { Simulation } from '../../scheduling/simulation.ts';
import type { JointDeletions } from '../joint-deletions.ts';
import { MoveDependencies } from '../move-dependencies.ts';
import { type Benefit, benefitOf, isGreater, NO_BENEFIT } from '../net-benefit.ts';

/** Moves that can all be made, one after the other; no pod is moved twice. */
export interface DraftPlan {
  readonly moves: readonly Move[];
  readonly benefit: Benefit;
  /** Of the nodes that are not empty. */
  readonly disruptionCost: number;
  /** Nodes that go. */
  readonly nodes: number;
}

export const NO_MOVES: DraftPlan = { moves: [], benefit: NO_BENEFIT, disruptionCost: 0, nodes: 0 };

/** Those of the moves that can be executed. */
export function draftPlanOf(simulation: Simulation, found: readonly Move[], joint: JointDeletions): DraftPlan {
  const moves = pricedInOrder(simulation, executable(simulation.cluster, found, joint));
  const candidates = moves.flatMap((move) => move.candidates);
  return {
    moves,
    benefit: benefitOf(moves),
    disruptionCost: candidates.reduce((sum, c) => sum + (isEmpty(c) ? 0 : c.disruptionCost), 0),
    nodes: candidates.length,
  };
}

/** Without deletions that may only go jointly and would be left alone, and without later moves that depend on one of them. */
function executable(cluster: CompiledCluster, found: readonly Move[], joint: JointDeletions): readonly Move[] {
  for (let left = found; ; ) {
    const kept = new Set(joint.among(left));
    if (kept.size === left.length) return left;
    left = new MoveDependencies(cluster, left).without(new Set(left.filter((move) => !kept.has(move))));
  }
}

/** Cents per hour: less is not worth another plan. */
const NOISE = 1e-6;

/** More benefit, else less disruption, else more nodes: an empty node goes even if its price is unknown. */
export function isBetter(a: DraftPlan, b: DraftPlan): boolean {
  if (isGreater(a.benefit, b.benefit, NOISE)) return true;
  if (isGreater(b.benefit, a.benefit, NOISE)) return false;
  if (Math.abs(a.disruptionCost - b.disruptionCost) > 1e-9) return a.disruptionCost < b.disruptionCost;
  return a.nodes > b.nodes;
}
