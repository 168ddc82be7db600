import type { PodObject } from '../../src/engine/cluster/objects.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import { sparedByPending } from '../../src/engine/search/pending.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { problemsOfStep, type World } from './check.ts';
import { type Result, readOutcome } from './outcome.ts';
import { podsMovingOff, podsToBePlaced } from './to-be-placed.ts';
import { hostsOf } from './world.ts';

/**
 * Everything that is wrong with moves that are made one after the other, each on what the ones before it have left: nodes
 * gone, pods where they were put, replacements up as whichever of their types. Pods that wait already come first, as the
 * engine places them. Empty for a sound sequence.
 */
export function problemsOfSequence(problem: SearchProblem, moves: readonly Move[]): string[] {
  const { cluster } = problem.simulation;
  const { objects } = cluster;
  let world: World = { hosts: hostsOf(objects), launched: [], gone: new Set() };
  const waiting = pendingPlaced(problem);
  const problems = problemsOfStep(objects, world, podsToBePlaced(objects, world.hosts, new Set()), waiting);
  world = after(world, waiting);
  const movedBefore = new Set<PodObject>();
  const numbers = new Map(moves.flatMap(({ candidates }, i) => candidates.map((c) => [c.row, i] as const)));
  for (const [i, move] of moves.entries()) {
    const step = readMove(cluster, move, i, numbers);
    const wanted = podsMovingOff(objects, world.hosts, step.removed);
    for (const pod of wanted) {
      if (movedBefore.has(pod)) problems.push(`${pod.name} moves twice`);
      movedBefore.add(pod);
    }
    for (const name of step.removed) if (world.gone.has(name)) problems.push(`${name} is removed twice`);
    problems.push(...problemsOfStep(objects, world, wanted, step).map((p) => `move ${i + 1}: ${p}`));
    world = after(world, step);
  }
  return problems;
}

/** Where pods that have no node now would go, once for all moves. */
function pendingPlaced(problem: SearchProblem): Result {
  const { cluster } = problem.simulation;
  const simulation = new Simulation(cluster);
  for (const row of sparedByPending(problem)) simulation.existing.exclude(row, true);
  return simulation.removing([], (outcome) => readOutcome(cluster, [], outcome));
}

/** `numbers`: of the moves by the rows that they remove. */
function readMove(
  cluster: CompiledCluster,
  { candidates, replacements, placements }: Move,
  i: number,
  numbers: ReadonlyMap<number, number>,
): Result {
  const nameOf = (move: number | undefined, row: number) => `new-node-${move}-${-1 - row}`;
  return {
    removed: new Set(candidates.map((c) => cluster.rows[c.row].name)),
    onExisting: placements
      .filter(({ row }) => row >= 0)
      .map(({ pod, row }) => ({ pod: cluster.pods[pod], node: cluster.rows[row].name })),
    onLaunched: placements.flatMap(({ pod, row, launchedFor }) =>
      launchedFor === undefined ? [] : [{ pod: cluster.pods[pod], node: nameOf(numbers.get(launchedFor), row) }],
    ),
    newNodes: replacements.map(({ template, types, requirements }, k) => ({
      name: nameOf(i, -1 - k),
      pool: cluster.templates[template].pool,
      types: types.map((t) => cluster.types.list[t]),
      labels: cluster.space.get(requirements),
      pods: placements
        .filter(({ row, launchedFor }) => row === -1 - k && launchedFor === undefined)
        .map(({ pod }) => cluster.pods[pod]),
    })),
    unplaced: [],
  };
}

function after({ hosts, launched, gone }: World, result: Result): World {
  const { removed, onExisting, onLaunched, newNodes, unplaced } = result;
  const onOld = [...onExisting, ...onLaunched].map((p) => p.pod);
  const left = new Set([...onOld, ...newNodes.flatMap((n) => n.pods), ...unplaced]);
  return {
    hosts: hosts.map((host) => ({
      ...host,
      pods: [
        ...host.pods.filter((pod) => !left.has(pod)),
        ...onExisting.filter((p) => p.node === host.name).map((p) => p.pod),
      ],
    })),
    launched: [
      ...launched.map((node) => ({
        ...node,
        pods: [...node.pods, ...onLaunched.filter((p) => p.node === node.name).map((p) => p.pod)],
      })),
      ...newNodes,
    ],
    gone: new Set([...gone, ...removed]),
  };
}
