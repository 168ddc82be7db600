import { bitset, fullBitset, hasBit, intersects, uniteInto } from '../engine/cluster/bitset.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import type { Simulation } from '../engine/scheduling/simulation.ts';

/**
 * Whether each of these pods, and each of the others whose places they could take, finds one on a running node, in
 * whatever order kube-scheduler takes them and wherever it puts the rest. A sufficient condition: the rest would have to
 * use up the capacity of every node that the pod may use, and together they are too small for that. Pods with constraints
 * besides resources are not covered.
 */
export function fitInAnyOrder(simulation: Simulation, own: readonly number[], others: readonly number[]): boolean {
  const { cluster } = simulation;
  const pods = [...own, ...sharing(simulation, own, others)];
  if (pods.length === own.length) return true;
  const free = freeWithout(simulation, new Set(pods));
  const demand = free.map((_, d) => demandOf(pods.map((pod) => amountsOf(cluster, pod)[d])));
  const known = new Set<string>();
  return pods.every((pod) => {
    const stage = lastStage(cluster, pod);
    if (stage === undefined || isConstrained(cluster, pod)) return true;
    const key = `${cluster.requestOfPod[pod]} ${stage.nodeClass}`;
    if (known.has(key)) return true;
    known.add(key);
    const { nodes } = simulation.existing.candidates(stage, false);
    const { gone } = simulation.existing;
    const rows = cluster.rows.flatMap(({ initialized }, row) =>
      initialized && hasBit(nodes, row) && !hasBit(gone, row) ? [row] : [],
    );
    return hasPlace(amountsOf(cluster, pod), rows, free, demand);
  });
}

/** The others that may use a node that these pods may use, or one that such others may use. */
function sharing(
  { cluster, existing }: Simulation,
  own: readonly number[],
  others: readonly number[],
): readonly number[] {
  const reached = bitset(cluster.rows.length);
  const nodesOf = (pod: number) => {
    const stage = lastStage(cluster, pod);
    return stage === undefined ? fullBitset(cluster.rows.length) : existing.candidates(stage, false).nodes;
  };
  for (const pod of own) uniteInto(reached, nodesOf(pod));
  const found = new Set<number>();
  for (let known = -1; found.size > known; ) {
    known = found.size;
    for (const pod of others) {
      const nodes = nodesOf(pod);
      if (found.has(pod) || !intersects(nodes, reached)) continue;
      uniteInto(reached, nodes);
      found.add(pod);
    }
  }
  return [...found];
}

/** The one with the fewest constraints. */
function lastStage({ shapeOfPod }: CompiledCluster, pod: number) {
  return shapeOfPod[pod]?.stages.at(-1);
}

/** Of one resource. */
interface Demand {
  readonly total: number;
  /** Of pods that ask for it. */
  readonly least: number;
}

function demandOf(amounts: readonly number[]): Demand {
  return { total: amounts.reduce((a, b) => a + b, 0), least: Math.min(...amounts.filter((a) => a > 0)) };
}

/**
 * By resource, the others fill at most as many nodes as what they ask for is enough for, those with least spare capacity
 * first. Each takes one pod at least.
 */
function hasPlace(
  amounts: Float64Array,
  rows: readonly number[],
  free: readonly Float64Array[],
  demand: readonly Demand[],
): boolean {
  const open = rows.filter((row) => amounts.every((amount, d) => amount <= free[d][row]));
  let filled = 0;
  for (const [d, amount] of amounts.entries()) {
    if (amount === 0) continue;
    const { total, least } = demand[d];
    let left = total - amount;
    for (const spare of open.map((row) => free[d][row] - amount).sort((a, b) => a - b)) {
      // A node whose spare capacity is used up exactly still takes the pod.
      if (left <= spare || left < least) break;
      left -= Math.max(spare, least);
      filled++;
    }
  }
  return filled < open.length;
}

/** Free capacity as if these pods had not been placed. */
function freeWithout({ cluster, placed }: Simulation, pods: ReadonlySet<number>): readonly Float64Array[] {
  const free = cluster.free.map((column) => column.slice());
  for (const { pod, row } of placed) {
    if (!pods.has(pod)) continue;
    for (const [d, amount] of amountsOf(cluster, pod).entries()) free[d][row] += amount;
  }
  return free;
}

function amountsOf({ requests, requestOfPod }: CompiledCluster, pod: number): Float64Array {
  return requests.amounts(requestOfPod[pod]);
}

function isConstrained({ shapeOfPod, membershipOfPod, volumesOfPod }: CompiledCluster, pod: number): boolean {
  const { stages = [], hostPorts = [] } = shapeOfPod[pod] ?? {};
  const { byHost = [], byDomain = [] } = stages.at(-1) ?? {};
  const { repelledByHost, repelledByDomain } = membershipOfPod[pod];
  const groups = byHost.length + byDomain.length + repelledByHost.length + repelledByDomain.length;
  return groups + hostPorts.length > 0 || volumesOfPod.has(pod);
}
