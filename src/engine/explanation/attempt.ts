import { namespacedName } from '../cluster/pods.ts';
import { type Obstacles, obstaclesOf } from '../scheduling/obstacles.ts';
import type { Outcome, Simulation } from '../scheduling/simulation.ts';

/** The result of simulating a node's removal, kept after the simulation is undone. */
export interface Attempt {
  /** Pods of the node with their destination: a row, or -1, -2 … for new nodes. */
  readonly placed: readonly { readonly pod: number; readonly row: number }[];
  /** New nodes needed, whether or not that many may be launched. */
  readonly newNodes: number;
  /** Pods of the node without a place. */
  readonly stranded: readonly UnplacedPod[];
  /** Pods of the node, and pending ones, that only fit on a new node: up to MAX_UNPLACED of them. */
  readonly onNewNodes: readonly UnplacedPod[];
  /** Destinations that are not initialized yet. */
  readonly uninitialized: readonly string[];
}

/** A pod that fits on no existing node, and why. */
export interface UnplacedPod {
  readonly pod: number;
  readonly obstacles: Obstacles;
}

/** Pods whose obstacles are computed for every node; the explanation shows only a few. */
const MAX_UNPLACED = 12;

/** Must be called before the simulation is undone. */
export function attemptOf(simulation: Simulation, row: number, outcome: Outcome): Attempt {
  const { rowOfPod, rows } = simulation.cluster;
  const own = (pod: number) => rowOfPod[pod] === row;
  const inQuestion = (pod: number) => own(pod) || rowOfPod[pod] < 0;
  const inNeed = (pods: readonly number[]): UnplacedPod[] =>
    pods.slice(0, MAX_UNPLACED).map((pod) => ({ pod, obstacles: obstaclesOf(simulation, pod) }));
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
    onNewNodes: inNeed(outcome.claims.flatMap(({ pods }) => pods.filter(inQuestion))),
    uninitialized: [...uninitialized],
  };
}

/** Groups pods with the same constraints and owner: an explanation of one holds for all. */
export function alike(
  simulation: Simulation['cluster'],
  pods: readonly UnplacedPod[],
): readonly (readonly UnplacedPod[])[] {
  const groups = Map.groupBy(pods, ({ pod }) => {
    const { namespace, owners, name } = simulation.pods[pod];
    return `${namespace} ${owners[0]?.uid ?? name} ${simulation.shapeOfPod[pod]?.id}`;
  });
  return [...groups.values()];
}

export function namesOf(cluster: Simulation['cluster'], pods: readonly UnplacedPod[]): string[] {
  return pods.map(({ pod }) => namespacedName(cluster.pods[pod]));
}
