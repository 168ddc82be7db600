import { type Obstacles, obstaclesOf } from '../scheduling/obstacles.ts';
import type { Outcome, Simulation } from '../scheduling/simulation.ts';
import { nameOf } from './changed-pods.ts';

/** What a simulation of removing a node came to, kept after the simulation has been taken back. */
export interface Attempt {
  /** Pods of the node, and where each would go: a row, or -1, -2 … for new nodes. */
  readonly placed: readonly { readonly pod: number; readonly row: number }[];
  /** New nodes that would be needed, whether or not that many may be launched. */
  readonly newNodes: number;
  /** Pods of the node without any place. */
  readonly stranded: readonly PodInNeed[];
  /** Pods of the node that only a new node would take: up to MAX_LOOKED_AT of them. */
  readonly onNewNodes: readonly PodInNeed[];
  /** Nodes not initialized yet that pods would go to. */
  readonly uninitialized: readonly string[];
}

/** A pod that no existing node takes, and why. */
export interface PodInNeed {
  readonly pod: number;
  readonly obstacles: Obstacles;
}

/** Looking at every node for every pod of a large node would be for nobody: few of them are told. */
const MAX_LOOKED_AT = 12;

/** To be called while the outcome stands. */
export function attemptOf(simulation: Simulation, row: number, outcome: Outcome): Attempt {
  const { rowOfPod, rows } = simulation.cluster;
  const own = (pod: number) => rowOfPod[pod] === row;
  const inNeed = (pods: readonly number[]): PodInNeed[] =>
    pods.slice(0, MAX_LOOKED_AT).map((pod) => ({ pod, obstacles: obstaclesOf(simulation, pod) }));
  const placed = outcome.placements.map(({ pod, row: to }) => ({ pod, row: to }));
  const uninitialized = new Set<string>();
  for (const { row: to } of placed) if (!rows[to].initialized) uninitialized.add(rows[to].name);
  outcome.claims.forEach(({ pods }, k) => {
    for (const pod of pods) placed.push({ pod, row: -1 - k });
  });
  return {
    placed: placed.filter(({ pod }) => own(pod)),
    newNodes: outcome.claims.length,
    stranded: inNeed(outcome.unplaced.filter(own)),
    onNewNodes: inNeed(outcome.claims.flatMap(({ pods }) => pods.filter(own))),
    uninitialized: [...uninitialized],
  };
}

/** Pods that go by the same constraints and belong together: what is said of one is said of all. */
export function alike(
  simulation: Simulation['cluster'],
  pods: readonly PodInNeed[],
): readonly (readonly PodInNeed[])[] {
  const groups = new Map<string, PodInNeed[]>();
  for (const each of pods) {
    const { namespace, owners, name } = simulation.pods[each.pod];
    const key = `${namespace} ${owners[0]?.uid ?? name} ${simulation.shapeOfPod[each.pod]?.id}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

export function namesOf(cluster: Simulation['cluster'], pods: readonly PodInNeed[]): string[] {
  return pods.map(({ pod }) => nameOf(cluster.pods[pod]));
}
