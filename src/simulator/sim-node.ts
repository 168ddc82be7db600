import type {
  Condition,
  InstanceType,
  Labels,
  NodeClaimObject,
  NodeObject,
  NodePoolObject,
  Taint,
} from '../engine/cluster/objects.ts';
import {
  CAPACITY_TYPE,
  DISRUPTED_TAINT,
  HOSTNAME,
  INITIALIZED,
  INSTANCE_TYPE,
  NODE_POOL,
  REGISTERED,
  ZONE,
} from '../engine/cluster/well-known.ts';
import { sameTaint } from '../engine/selection/taints.ts';
import type { NodeLoad } from './node-load.ts';
import type { NodeFreeCapacity } from './pod-sizes.ts';
import type { AppState, SimPod } from './sim-pod.ts';

/** A node, from NodeClaim to termination. */
export interface SimNode {
  /** Name of the NodeClaim and of the Node. */
  readonly name: string;
  readonly pool: NodePoolObject;
  readonly type: InstanceType;
  readonly zone: string;
  readonly capacityType: string;
  readonly labels: Labels;
  /** Permanent taints, without startup and disruption taints. */
  readonly taints: readonly Taint[];
  readonly createdMs: number;
  /** Its objects in the imported cluster; undefined if it was launched later. */
  readonly imported?: ImportedNode;
  /** Dollars per hour. */
  price: number;
  registered: boolean;
  readyMs: number | undefined;
  lastPodEventMs: number | undefined;
  /** Has the taint karpenter.sh/disrupted. */
  tainted: boolean;
  /** Has the taint decant.sh/leaving:PreferNoSchedule. */
  steered: boolean;
  /** Its NodeClaim was deleted, and the cause. */
  deleting: boolean;
  removal: RemovalCause | undefined;
  /** Karpenter marked it for deletion. */
  marked: boolean;
  /** Karpenter nominated it for pending pods until then. */
  nominatedUntilMs: number;
  gone: boolean;
  drifted: boolean;
  readonly pods: Set<SimPod>;
  readonly allocatable: Float64Array;
  readonly free: Float64Array;
  /** Cache: whether labels and taints admit the workload's pods. */
  readonly admits: Map<AppState, boolean>;
  /** Cache of loadOf. */
  load: NodeLoad | undefined;
  /** Cache of PodSizes.freeCapacityOn. */
  freeCapacity: NodeFreeCapacity | undefined;
  /** Cached objects; undefined after a change. */
  cachedClaim: NodeClaimObject | undefined;
  cachedNode: NodeObject | undefined;
  /** When the Consolidatable condition becomes true, without further pod events; Infinity: never. */
  consolidatableMs: number;
}

/** What a node is made from; everything else begins as on a new node. */
type NodeOrigin = Pick<
  SimNode,
  'name' | 'pool' | 'type' | 'zone' | 'capacityType' | 'labels' | 'taints' | 'createdMs' | 'price' | 'allocatable'
>;

/** `imported`: how far an imported node is. */
export function newNode(origin: NodeOrigin, imported: Partial<SimNode> = {}): SimNode {
  return {
    ...origin,
    registered: false,
    readyMs: undefined,
    lastPodEventMs: undefined,
    tainted: false,
    steered: false,
    deleting: false,
    removal: undefined,
    marked: false,
    nominatedUntilMs: 0,
    gone: false,
    drifted: false,
    pods: new Set(),
    free: origin.allocatable.slice(),
    admits: new Map(),
    load: undefined,
    freeCapacity: undefined,
    cachedClaim: undefined,
    cachedNode: undefined,
    consolidatableMs: Number.POSITIVE_INFINITY,
    ...imported,
  };
}

export interface ImportedNode {
  readonly node: NodeObject | undefined;
  /** undefined: not managed by Karpenter. */
  readonly claim: NodeClaimObject | undefined;
}

export type RemovalCause = 'consolidation' | 'interruption' | 'expiration' | 'drift' | 'by-hand' | 'unneeded';

export function nodeLabels(
  name: string,
  pool: NodePoolObject,
  type: InstanceType,
  zone: string,
  capacityType: string,
): Labels {
  const single = [...type.requirements, ...pool.requirements].filter(
    (r) => r.operator === 'In' && r.values?.length === 1,
  );
  return {
    ...Object.fromEntries(single.map((r) => [r.key, r.values?.[0] ?? ''])),
    ...pool.templateLabels,
    [INSTANCE_TYPE]: type.name,
    [ZONE]: zone,
    [CAPACITY_TYPE]: capacityType,
    [NODE_POOL]: pool.name,
    [HOSTNAME]: name,
  };
}

const NOT_READY: Taint = { key: 'node.kubernetes.io/not-ready', value: '', effect: 'NoSchedule' };

/** The Node; undefined before it registers. Cached until nodeChanged. */
export function nodeObject(n: SimNode): NodeObject | undefined {
  if (!n.registered) return undefined;
  if (n.cachedNode !== undefined) return n.cachedNode;
  const ready = n.readyMs !== undefined;
  if (n.imported?.node !== undefined) {
    n.cachedNode = importedNodeObject(n, n.imported.node);
    return n.cachedNode;
  }
  n.cachedNode = {
    name: n.name,
    labels: { ...n.labels, [REGISTERED]: 'true', ...(ready ? { [INITIALIZED]: 'true' } : {}) },
    createdMs: n.createdMs,
    terminating: n.deleting,
    providerId: providerId(n.name),
    taints: [
      ...n.taints,
      ...(ready ? [] : [NOT_READY, ...n.pool.startupTaints]),
      ...(n.tainted || n.deleting ? [DISRUPTED_TAINT] : []),
    ],
    capacity: n.type.capacity,
    allocatable: n.type.allocatable,
    ready: ready ? 'True' : 'False',
    ...(n.steered ? { steered: true } : {}),
  };
  return n.cachedNode;
}

function importedNodeObject(n: SimNode, imported: NodeObject): NodeObject {
  const ready = n.readyMs !== undefined;
  const { steered: _, ...before } = imported;
  return {
    ...before,
    ...(n.steered ? { steered: true } : {}),
    labels: ready ? { ...imported.labels, [REGISTERED]: 'true', [INITIALIZED]: 'true' } : imported.labels,
    terminating: n.deleting,
    taints: [
      ...n.taints,
      ...(ready ? [] : imported.taints.filter((t) => !n.taints.includes(t) && !sameTaint(t, DISRUPTED_TAINT))),
      ...(n.tainted || n.deleting ? [DISRUPTED_TAINT] : []),
    ],
    ready: ready ? 'True' : imported.ready,
  };
}

/** The NodeClaim as of now; undefined for nodes that Karpenter does not manage. */
export function claimObject(n: SimNode, nowMs: number): NodeClaimObject | undefined {
  if (n.imported !== undefined && n.imported.claim === undefined) return undefined;
  if (n.cachedClaim !== undefined && !(nowMs >= n.consolidatableMs && !hasConsolidatable(n.cachedClaim)))
    return n.cachedClaim;
  const imported = n.imported?.claim;
  const kept = imported?.conditions.filter((c) => !OWN_CONDITIONS.has(c.type)) ?? [];
  const conditions: Condition[] = [...kept, { type: 'Launched', status: 'True', changedMs: n.createdMs }];
  if (n.registered) conditions.push({ type: 'Registered', status: 'True', changedMs: n.createdMs });
  n.consolidatableMs = Number.POSITIVE_INFINITY;
  if (n.readyMs !== undefined) {
    conditions.push({ type: 'Initialized', status: 'True', changedMs: n.readyMs });
    const after = n.pool.consolidateAfterMs;
    if (after !== undefined) n.consolidatableMs = (n.lastPodEventMs ?? n.readyMs) + after;
  }
  if (nowMs >= n.consolidatableMs)
    conditions.push({ type: 'Consolidatable', status: 'True', changedMs: n.consolidatableMs });
  if (n.drifted) conditions.push({ type: 'Drifted', status: 'True', changedMs: n.createdMs });
  n.cachedClaim = {
    name: n.name,
    uid: `uid-${n.name}`,
    labels: n.labels,
    createdMs: n.createdMs,
    terminating: n.deleting,
    taints: n.pool.taints,
    startupTaints: n.pool.startupTaints,
    expireAfterMs: n.pool.expireAfterMs,
    providerId: providerId(n.name),
    nodeName: n.registered ? n.name : '',
    capacity: n.type.capacity,
    allocatable: n.type.allocatable,
    conditions,
    lastPodEventMs: n.lastPodEventMs,
    ...(imported === undefined ? {} : identityOf(imported)),
  };
  return n.cachedClaim;
}

/** Conditions that the simulation maintains. */
const OWN_CONDITIONS: ReadonlySet<string> = new Set([
  'Launched',
  'Registered',
  'Initialized',
  'Consolidatable',
  'Drifted',
]);

/** Fields that never change. */
function identityOf(imported: NodeClaimObject): Partial<NodeClaimObject> {
  const { name, uid, labels, doNotDisrupt, taints, startupTaints, expireAfterMs, providerId, capacity, allocatable } =
    imported;
  return { name, uid, labels, doNotDisrupt, taints, startupTaints, expireAfterMs, providerId, capacity, allocatable };
}

/** Searches from the end, where the condition was added. */
function hasConsolidatable({ conditions }: NodeClaimObject): boolean {
  for (let i = conditions.length - 1; i >= 0; i--) if (conditions[i].type === 'Consolidatable') return true;
  return false;
}

function providerId(name: string): string {
  return `simulated:///${name}`;
}
