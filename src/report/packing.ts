import type { ClusterObjects, PodObject, Resources } from '../engine/cluster/objects.ts';
import type { Plan, PlannedMove, PlannedNode, PlannedReplacement } from '../engine/plan-document.ts';
import { type Decision, decisionOf, leavingNodes } from './decision.ts';
import { count, perHour } from './money.ts';

/** A node as a box that pods fill. */
export interface Box {
  readonly name: string;
  readonly group: string;
  readonly decision: Decision;
  /** What a pointer that rests on it is told. */
  readonly about: string;
  /** Index in the plan's nodes; undefined for a node that is still to come. */
  readonly row?: number;
  /** Millicores and bytes, allocatable. */
  readonly cpu: number;
  readonly memory: number;
  /** undefined: there is no such node then. */
  readonly before?: readonly Layer[];
  readonly after?: readonly Layer[];
}

/** A pod as its shares of the node's cpu and memory, at most 1. */
export interface Layer {
  readonly pod: string;
  readonly cpu: number;
  readonly memory: number;
  /** The plan moves it. */
  readonly moves: boolean;
}

/** What leaves and what comes is a group of its own, before the pools. */
export const CHANGES = 'changes';
const GIB = 2 ** 30;
/** Where nothing is known of a node, so that it is drawn at all. */
const SOME: Resources = { cpu: 4000, memory: 16 * GIB };

/** All nodes that the plan knows, and those that it adds: what leaves and comes first, then pool by pool. */
export function packing(plan: Plan, cluster: ClusterObjects): Box[] {
  const leaving = leavingNodes(plan);
  const allocatable = allocatableByNode(cluster);
  const running = podsByNode(cluster.pods);
  const arriving = arrivals(plan, cluster.pods);
  const moving = new Set(plan.moves.flatMap((move) => move.placements.map(({ pod }) => pod)));
  const boxes = plan.nodes.map((node, row): Box => {
    const size = allocatable.get(node.name) ?? SOME;
    const pods = running.get(node.name) ?? [];
    const decision = decisionOf(node, leaving);
    const stays = !leaving.has(node.name);
    const before = pods.map((pod) => layer(pod, size, moving.has(keyOf(pod))));
    const arrived = (arriving.get(node.name) ?? []).map((pod) => layer(pod, size, true));
    return {
      name: node.name,
      group: stays ? poolName(node.nodePool) : CHANGES,
      decision,
      about: aboutNode(node, pods.length),
      row,
      cpu: size.cpu ?? 0,
      memory: size.memory ?? 0,
      before,
      after: stays ? [...before, ...arrived] : undefined,
    };
  });
  return [...boxes, ...plan.moves.flatMap((move, i) => newBoxes(move, i, cluster, arriving))];
}

function newBoxes(move: PlannedMove, index: number, cluster: ClusterObjects, arriving: Arrivals): Box[] {
  return move.replacements.map((replacement, i) => {
    const type = cluster.instanceTypes.find(({ name }) => name === replacement.instanceTypes[0]);
    const size = type?.allocatable ?? SOME;
    const pods = arriving.get(newNode(index, `new-${i + 1}`)) ?? [];
    return {
      name: `new-${i + 1} of move ${index + 1}`,
      group: CHANGES,
      decision: 'new',
      about: aboutReplacement(replacement, index, pods.length),
      cpu: size.cpu ?? 0,
      memory: size.memory ?? 0,
      after: pods.map((pod) => layer(pod, size, true)),
    };
  });
}

type Arrivals = ReadonlyMap<string, readonly PodObject[]>;

/** Pods by where the plan puts them. */
export function arrivals(plan: Pick<Plan, 'moves'>, pods: readonly PodObject[]): Arrivals {
  const byKey = new Map(pods.map((pod) => [keyOf(pod), pod]));
  const placed = plan.moves.flatMap(({ nodes, placements, replacements }, index) => {
    const isNew = (to: string) => /^new-\d+$/.test(to) && Number(to.slice(4)) <= replacements.length;
    return placements.flatMap(({ pod: key, to }) => {
      const pod = byKey.get(key);
      return pod === undefined || nodes.includes(to) ? [] : [{ pod, to: isNew(to) ? newNode(index, to) : to }];
    });
  });
  return collect(placed.map(({ pod, to }) => [to, pod]));
}

/** Each move counts its new nodes from 1. No node has a space in its name. */
export function newNode(move: number, to: string): string {
  return `${move} ${to}`;
}

export function podsByNode(pods: readonly PodObject[]): Arrivals {
  const running = pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
  return collect(running.map((pod) => [pod.nodeName, pod]));
}

function collect(entries: readonly (readonly [string, PodObject])[]): Arrivals {
  const byName = new Map<string, PodObject[]>();
  for (const [name, pod] of entries) {
    const list = byName.get(name);
    if (list === undefined) byName.set(name, [pod]);
    else list.push(pod);
  }
  return byName;
}

/** A claim without a node yet goes by its own name. */
export function allocatableByNode({ nodes, nodeClaims }: ClusterObjects): ReadonlyMap<string, Resources> {
  const claims = nodeClaims.map(({ name, nodeName, allocatable }) => [nodeName || name, allocatable] as const);
  return new Map([...claims, ...nodes.map(({ name, allocatable }) => [name, allocatable] as const)]);
}

function layer(pod: PodObject, size: Resources, moves: boolean): Layer {
  const share = (resource: string) => Math.min(1, (pod.requests[resource] ?? 0) / Math.max(1, size[resource] ?? 0));
  return { pod: keyOf(pod), cpu: share('cpu'), memory: share('memory'), moves };
}

export function keyOf({ namespace, name }: PodObject): string {
  return `${namespace}/${name}`;
}

function poolName(nodePool: string): string {
  return nodePool === '' ? 'no NodePool' : `pool ${nodePool}`;
}

function aboutNode(node: PlannedNode, pods: number): string {
  const { name, instanceType, capacityType, zone, centsPerHour, utilization } = node;
  const price = centsPerHour === null ? 'price unknown' : perHour(centsPerHour);
  const used = `${Math.round(100 * utilization)} % used`;
  return [name, instanceType, capacityType, zone, price, used, count(pods, 'pod')].filter(Boolean).join(', ');
}

function aboutReplacement(replacement: PlannedReplacement, move: number, pods: number): string {
  const { instanceTypes, capacityTypes, zones, centsPerHour } = replacement;
  const where = [...capacityTypes, ...zones].filter((value) => value !== '*');
  return [`new, by move ${move + 1}`, instanceTypes[0], ...where, perHour(centsPerHour), count(pods, 'pod')].join(', ');
}
