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
import type { NodeRoom } from './pod-sizes.ts';
import type { AppState, SimPod } from './sim-pod.ts';

/** A machine, from its NodeClaim to the end of its bill. */
export interface SimNode {
  /** Of the NodeClaim, and of the Node once it is there. */
  readonly name: string;
  readonly pool: NodePoolObject;
  readonly type: InstanceType;
  readonly zone: string;
  readonly capacityType: string;
  readonly labels: Labels;
  /** Those that stay once it is ready, without what says that it is to go. */
  readonly taints: readonly Taint[];
  readonly createdMs: number;
  /** As it was when the simulation began; undefined: it came later. */
  readonly found?: FoundMachine;
  /** Dollars per hour. */
  price: number;
  registered: boolean;
  readyMs: number | undefined;
  lastPodEventMs: number | undefined;
  /** karpenter.sh/disrupted: nothing new lands on it. */
  tainted: boolean;
  /** Its NodeClaim was deleted, and why. */
  deleting: boolean;
  removal: RemovalCause | undefined;
  /** Karpenter means to delete it, and plans as if it had. */
  marked: boolean;
  /** Until then Karpenter expects pending pods on it. */
  nominatedUntilMs: number;
  gone: boolean;
  drifted: boolean;
  readonly pods: Set<SimPod>;
  readonly allocatable: Float64Array;
  readonly free: Float64Array;
  /** May pods of the workload run here by labels and taints? Known once asked. */
  readonly admits: Map<AppState, boolean>;
  /** What would have to move; see loadOf. */
  load: NodeLoad | undefined;
  /** What it has room for; see PodSizes. */
  room: NodeRoom | undefined;
  /** Last objects shown, and until when they are good. */
  shownClaim: NodeClaimObject | undefined;
  shownNode: NodeObject | undefined;
  /** When the Consolidatable condition turns up, unless something happens before; Infinity: never. */
  consolidatableMs: number;
}

/** A machine of a real cluster. */
export interface FoundMachine {
  readonly node: NodeObject | undefined;
  /** undefined: Karpenter does not manage it. */
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

/** The Node; undefined before it registers. Good until the node changes: then `shownNode` is emptied. */
export function nodeObject(n: SimNode): NodeObject | undefined {
  if (!n.registered) return undefined;
  if (n.shownNode !== undefined) return n.shownNode;
  const ready = n.readyMs !== undefined;
  if (n.found?.node !== undefined) {
    n.shownNode = foundNode(n, n.found.node);
    return n.shownNode;
  }
  n.shownNode = {
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
  };
  return n.shownNode;
}

function foundNode(n: SimNode, found: NodeObject): NodeObject {
  const ready = n.readyMs !== undefined;
  return {
    ...found,
    labels: ready ? { ...found.labels, [REGISTERED]: 'true', [INITIALIZED]: 'true' } : found.labels,
    terminating: n.deleting,
    taints: [
      ...n.taints,
      ...(ready ? [] : found.taints.filter((t) => !n.taints.includes(t) && !sameTaint(t, DISRUPTED_TAINT))),
      ...(n.tainted || n.deleting ? [DISRUPTED_TAINT] : []),
    ],
    ready: ready ? 'True' : found.ready,
  };
}

/** The NodeClaim as of now; undefined for nodes that Karpenter does not manage. */
export function claimObject(n: SimNode, nowMs: number): NodeClaimObject | undefined {
  if (n.found !== undefined && n.found.claim === undefined) return undefined;
  if (n.shownClaim !== undefined && !(nowMs >= n.consolidatableMs && !isConsolidatable(n.shownClaim)))
    return n.shownClaim;
  const found = n.found?.claim;
  const kept = found?.conditions.filter((c) => !OWN_CONDITIONS.has(c.type)) ?? [];
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
  n.shownClaim = {
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
    ...(found === undefined ? {} : identityOf(found)),
  };
  return n.shownClaim;
}

/** Conditions that the simulation keeps itself. */
const OWN_CONDITIONS: ReadonlySet<string> = new Set([
  'Launched',
  'Registered',
  'Initialized',
  'Consolidatable',
  'Drifted',
]);

/** What stays as it was found, whatever happens. */
function identityOf(found: NodeClaimObject): Partial<NodeClaimObject> {
  const { name, uid, labels, doNotDisrupt, taints, startupTaints, expireAfterMs, providerId, capacity, allocatable } =
    found;
  return { name, uid, labels, doNotDisrupt, taints, startupTaints, expireAfterMs, providerId, capacity, allocatable };
}

/** From the last: it is the youngest of the conditions, or nearly. */
function isConsolidatable({ conditions }: NodeClaimObject): boolean {
  for (let i = conditions.length - 1; i >= 0; i--) if (conditions[i].type === 'Consolidatable') return true;
  return false;
}

function providerId(name: string): string {
  return `simulated:///${name}`;
}
