import { getOrInsert } from '../../engine/cluster/get-or-insert.ts';
import type { ClusterObjects, PodObject, Resources } from '../../engine/cluster/objects.ts';
import { namespacedName } from '../../engine/cluster/pods.ts';
import type { Plan, PlannedNode } from '../../engine/plan-document.ts';
import type { Refusal } from '../../engine/refusal.ts';
import { rounded } from '../../lab/comparison-document.ts';
import { type Decision, decisionOf, leavingNodes } from '../../report/decision.ts';
import { reasonsToStay } from '../../report/plan-words.ts';
import type { ClusterColumns, NodeColumns, PodColumns } from '../api.ts';
import { Names } from './names.ts';
import { nodeMarks } from './node-marks.ts';

/** Before the search: nodes without moves. */
export type PlanSoFar = Pick<Plan, 'nodes' | 'moves'> & { readonly totals?: Pick<Plan['totals'], 'centsPerHour'> };

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] };

const MIB = 2 ** 20;

/** The cluster as it is, with the decision about each node. */
export function packingNow(plan: PlanSoFar, cluster: ClusterObjects): ClusterColumns {
  const columns = new Columns();
  const leaving = leavingNodes(plan);
  const sizes = allocatableByNode(cluster);
  const running = podsByNode(cluster.pods);
  const moves = moveOfNode(plan);
  const marks = nodeMarks(cluster);
  const moving = new Set(plan.moves.flatMap((move) => move.placements.map(({ pod }) => pod)));
  for (const node of plan.nodes) {
    const pods = running.get(node.name) ?? [];
    columns.node(node, sizes.get(node.name), {
      decision: decisionOf(node, leaving),
      move: moves.get(node.name),
      mark: marks.get(node.name),
      ...(leaving.has(node.name) ? {} : { stays: node }),
    });
    for (const pod of pods) columns.pod(pod, moving.has(namespacedName(pod)));
  }
  return columns.finish(running.get('') ?? []);
}

/** The cluster after the plan: without the nodes that leave, with the new ones. */
export function packingAfter(plan: PlanSoFar, cluster: ClusterObjects): ClusterColumns {
  const columns = new Columns();
  const leaving = leavingNodes(plan);
  const sizes = allocatableByNode(cluster);
  const running = podsByNode(cluster.pods);
  const arriving = arrivals(plan, cluster.pods);
  const marks = nodeMarks(cluster);
  for (const node of plan.nodes) {
    if (leaving.has(node.name)) continue;
    columns.node(node, sizes.get(node.name), {
      decision: decisionOf(node, leaving),
      mark: marks.get(node.name),
      stays: node,
    });
    for (const pod of running.get(node.name) ?? []) columns.pod(pod, false);
    for (const pod of arriving.get(node.name) ?? []) columns.pod(pod, true);
  }
  const types = new Map(cluster.instanceTypes.map((type) => [type.name, type]));
  for (const [move, { replacements }] of plan.moves.entries()) {
    for (const [i, replacement] of replacements.entries()) {
      const name = newNodeName(move, `new-${i + 1}`);
      if (leaving.has(name)) continue;
      const { instanceTypes, nodePool, zones, capacityTypes, centsPerHour } = replacement;
      const one = (values: readonly string[]) => (values.length === 1 ? values[0] : 'any');
      const node = {
        name,
        nodePool,
        instanceType: instanceTypes[0],
        zone: one(zones),
        capacityType: one(capacityTypes),
        centsPerHour,
        utilization: 0,
      };
      columns.node(node, types.get(instanceTypes[0])?.allocatable, { decision: 'new', move: move + 1 });
      for (const pod of arriving.get(name) ?? []) columns.pod(pod, true);
    }
  }
  return columns.finish(running.get('') ?? []);
}

function moveOfNode({ moves }: PlanSoFar): ReadonlyMap<string, number> {
  return new Map(moves.flatMap(({ nodes }, i) => nodes.map((name) => [name, i + 1] as const)));
}

type NodeFacts = Pick<
  PlannedNode,
  'name' | 'nodePool' | 'instanceType' | 'zone' | 'capacityType' | 'centsPerHour' | 'utilization'
>;

interface Fate {
  readonly decision: Decision;
  /** 1-based. */
  readonly move?: number;
  readonly mark?: string;
  /** Set for nodes that stay. */
  readonly stays?: PlannedNode;
}

class Columns {
  private readonly pools = new Names();
  private readonly zones = new Names();
  private readonly types = new Names();
  private readonly capacityTypes = new Names();
  private readonly decisions = new Names<Decision>();
  private readonly reasons = new Names();
  private readonly refusals = new Names<Refusal['code']>();
  private readonly marks = new Names();
  private readonly namespaces = new Names();
  private readonly nodes: Writable<NodeColumns> = {
    name: [],
    pool: [],
    zone: [],
    type: [],
    capacityType: [],
    cpu: [],
    memory: [],
    centsPerHour: [],
    decision: [],
    reason: [],
    refusal: [],
    utilization: [],
    move: [],
    mark: [],
    firstPod: [],
  };
  private readonly pods: Writable<PodColumns> = { namespace: [], name: [], cpu: [], memory: [], moving: [] };

  node(node: NodeFacts, size: Resources | undefined, fate: Fate): void {
    const { nodes } = this;
    const { decision, move = 0, mark, stays } = fate;
    nodes.name.push(node.name);
    nodes.pool.push(this.pools.numberOf(node.nodePool));
    nodes.zone.push(this.zones.numberOf(node.zone));
    nodes.type.push(this.types.numberOf(node.instanceType));
    nodes.capacityType.push(this.capacityTypes.numberOf(node.capacityType));
    nodes.cpu.push(size?.cpu ?? 0);
    nodes.memory.push(mebibytes(size?.memory ?? 0));
    nodes.centsPerHour.push(node.centsPerHour === null ? null : rounded(node.centsPerHour));
    nodes.decision.push(this.decisions.numberOf(decision));
    nodes.reason.push(stays === undefined ? -1 : this.reasons.numberOf(reasonsToStay(stays)[0]));
    const code = stays?.refusals[0]?.code as Refusal['code'] | undefined;
    nodes.refusal.push(code === undefined ? -1 : this.refusals.numberOf(code));
    nodes.utilization.push(rounded(node.utilization));
    nodes.move.push(move);
    nodes.mark.push(mark === undefined ? -1 : this.marks.numberOf(mark));
    nodes.firstPod.push(this.pods.name.length);
  }

  pod(pod: PodObject, moves: boolean): void {
    const { pods } = this;
    if (moves) pods.moving.push(pods.name.length);
    pods.namespace.push(this.namespaces.numberOf(pod.namespace));
    pods.name.push(pod.name);
    pods.cpu.push(pod.requests.cpu ?? 0);
    pods.memory.push(mebibytes(pod.requests.memory ?? 0));
  }

  finish(waiting: readonly PodObject[]): ClusterColumns {
    this.nodes.firstPod.push(this.pods.name.length);
    for (const pod of waiting) this.pod(pod, false);
    return {
      names: {
        pools: this.pools.list,
        zones: this.zones.list,
        types: this.types.list,
        capacityTypes: this.capacityTypes.list,
        decisions: this.decisions.list,
        reasons: this.reasons.list,
        refusals: this.refusals.list,
        marks: this.marks.list,
        namespaces: this.namespaces.list,
      },
      nodes: this.nodes,
      pods: this.pods,
    };
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / MIB);
}

type Arrivals = ReadonlyMap<string, readonly PodObject[]>;

/** Pods by the node that the plan moves them to in the end: a later stage may move them again. */
function arrivals(plan: Pick<Plan, 'moves'>, pods: readonly PodObject[]): Arrivals {
  const byKey = new Map(pods.map((pod) => [namespacedName(pod), pod]));
  const places = new Map<PodObject, string>();
  for (const [index, { nodes, placements, replacements }] of plan.moves.entries()) {
    const isNew = (to: string) => /^new-\d+$/.test(to) && Number(to.slice(4)) <= replacements.length;
    for (const { pod: key, to } of placements) {
      const pod = byKey.get(key);
      if (pod !== undefined && !nodes.includes(to)) places.set(pod, isNew(to) ? newNodeName(index, to) : to);
    }
  }
  return collect([...places].map(([pod, to]) => [to, pod]));
}

/**
 * Unique name of a new node, as pods of later moves refer to it: each move counts from 1, and no real name has a space.
 */
function newNodeName(move: number, to: string): string {
  return `${to} of move ${move + 1}`;
}

function podsByNode(pods: readonly PodObject[]): Arrivals {
  const running = pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
  return collect(running.map((pod) => [pod.nodeName, pod]));
}

function collect(entries: readonly (readonly [string, PodObject])[]): Arrivals {
  const byName = new Map<string, PodObject[]>();
  for (const [name, pod] of entries) {
    getOrInsert(byName, name, () => []).push(pod);
  }
  return byName;
}

/** A claim without a node yet is listed by its own name. */
function allocatableByNode({ nodes, nodeClaims }: ClusterObjects): ReadonlyMap<string, Resources> {
  const claims = nodeClaims.map(({ name, nodeName, allocatable }) => [nodeName || name, allocatable] as const);
  return new Map([...claims, ...nodes.map(({ name, allocatable }) => [name, allocatable] as const)]);
}
