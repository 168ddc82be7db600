import { isReschedulable } from '../engine/cluster/pods.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { requiredSavings } from '../engine/disruption/required-savings.ts';
import { workloadNames } from '../engine/disruption/workloads.ts';
import type { Move } from '../engine/moves/move.ts';
import { expectedPrice } from '../engine/moves/replacement.ts';
import type { PlannedOrder } from '../engine/pass/planned-order.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Command, CommandNode, CommandReplacement, CommandRollout, Figures } from './command.ts';
import { launchRequests, launchRequirements } from './launch.ts';
import { bounded } from './order-of-plan.ts';
import { placementsOf } from './placement-hints.ts';
import { rolloutsFor } from './rolling.ts';

/** The command for a move, as first written to the journal. */
export function commandFor(cluster: CompiledCluster, move: Move, id: string, next: PlannedOrder = []): Command {
  const { nowMs } = cluster.objects;
  return {
    id,
    phase: 'waiting',
    decidedMs: nowMs,
    phaseMs: nowMs,
    nodes: move.candidates.map((c) => commandNode(cluster, c)),
    replacements: replacementsOf(cluster, move, id),
    ...executionOf(cluster, move),
    ...(next.length === 0 ? {} : { next: bounded(next) }),
  };
}

/** What depends on the pods of its nodes, which validation computes again. */
export function executionOf(
  cluster: CompiledCluster,
  move: Move,
): Pick<Command, 'workloads' | 'predicted' | 'placements' | 'rollouts'> {
  const rollouts = rolloutsFor(cluster, move.candidates);
  return {
    workloads: workloadsOn(cluster, rowsOf(move), rollouts),
    predicted: figuresOf(cluster, move, rollouts.length),
    placements: placementsOf(cluster, move),
    ...(rollouts.length === 0 ? {} : { rollouts }),
  };
}

function commandNode(cluster: CompiledCluster, { row, name, pool, price }: Candidate): CommandNode {
  return {
    node: name,
    nodeClaim: cluster.rows[row].claim?.name ?? '',
    nodePool: pool.name,
    centsPerHour: price * 100,
    pods: podsToMove(cluster, row),
  };
}

/** Pods whose eviction disrupts a workload, including pods that may not be evicted. */
export function podsToMove(cluster: CompiledCluster, row: number): number {
  return cluster.podsOfRow[row].filter((pod) => isReschedulable(cluster.pods[pod])).length;
}

/** As long as a name that Karpenter has the API server make up; some clouds make labels and host names of it. */
const LONGEST_NAME = 63;

/** Named after the command: computing them again gives the same names. */
export function replacementsOf(cluster: CompiledCluster, move: Move, id: string): readonly CommandReplacement[] {
  return move.replacements.map((r, i) => {
    const nodePool = cluster.templates[r.template].pool.name;
    return {
      nodeClaim: nameOf(nodePool, `-${id}-${i + 1}`),
      nodePool,
      requirements: launchRequirements(cluster, r),
      requests: launchRequests(cluster, r),
      centsPerHour: expectedPrice(cluster, r) * 100,
    };
  });
}

function nameOf(nodePool: string, suffix: string): string {
  // A name may not have a dash after a dot.
  return nodePool.slice(0, LONGEST_NAME - suffix.length).replace(/[^a-z0-9]+$/, '') + suffix;
}

/** A command must fit into one object of the API server: 2,000 names of 400 characters are 0.8 MB. */
const MAX_WORKLOADS = 2_000;
const OTHERS = 'others';

/** Pods that would be evicted from these rows, by workload; beyond MAX_WORKLOADS together as `others`. */
export function workloadsOn(
  cluster: CompiledCluster,
  rows: readonly number[],
  rollouts: readonly CommandRollout[] = [],
): Readonly<Record<string, number>> {
  const rolled = new Set(rollouts.map((r) => r.podUid));
  const nameOf = workloadNames(cluster.objects.workloads);
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const pod of cluster.movableOfRow[row]) {
      if (rolled.has(cluster.pods[pod].uid)) continue;
      const name = nameOf(cluster.pods[pod]);
      const key = counts.has(name) || counts.size < MAX_WORKLOADS ? name : OTHERS;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return Object.fromEntries(counts);
}

function figuresOf(cluster: CompiledCluster, move: Move, rolled: number): Figures {
  return {
    savingsCentsPerHour: move.savings * 100,
    requiredCentsPerHour: requiredSavings(move.candidates).requiredCents,
    disruptionCost: move.candidates.reduce((sum, c) => sum + c.disruptionCost, 0),
    evictions: rowsOf(move).reduce((sum, row) => sum + cluster.movableOfRow[row].length, 0) - rolled,
  };
}

function rowsOf({ candidates }: Move): readonly number[] {
  return candidates.map((c) => c.row);
}
