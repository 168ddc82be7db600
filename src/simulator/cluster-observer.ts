import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type {
  ClusterObjects,
  DaemonSetObject,
  NodeClaimObject,
  NodeObject,
  PodDisruptionBudgetObject,
  PodObject,
  WorkloadObject,
} from '../engine/cluster/objects.ts';
import type { DeploymentRollout } from '../engine/cluster/scaling-objects.ts';
import { asTerminating } from '../engine/cluster/terminating-claim.ts';
import { LEAVING_TAINT } from '../engine/cluster/well-known.ts';
import { budgetObject } from './budget-status.ts';
import type { App } from './scenario.ts';
import { claimObject, nodeObject } from './sim-node.ts';
import { type AppState, isSettled, replicaSetName, SURGE, uidFor } from './sim-pod.ts';
import type { World } from './world.ts';

/** Kubernetes objects of the world as the API server would return them. Unchanged objects stay the same values. */
export class ClusterObserver {
  private readonly world: World;
  private readonly daemonSets: readonly DaemonSetObject[];
  private readonly imported: ClusterObjects | undefined;
  private readonly statuses = new Map<AppState, Status>();
  private seen: ClusterObjects | undefined;
  private seenVersion = -1;

  constructor(world: World) {
    this.world = world;
    this.imported = world.scenario.start?.objects;
    this.daemonSets =
      this.imported?.daemonSets ??
      world.apps.flatMap(({ app }) => (app.kind === 'DaemonSet' ? [daemonSetObject(app)] : []));
  }

  objects(): ClusterObjects {
    const { world } = this;
    const { nowMs } = world;
    if (this.seen !== undefined && this.seen.nowMs === nowMs && this.seenVersion === world.version) return this.seen;
    const changed = this.seen === undefined || this.seenVersion !== world.version;
    const nodeClaims: NodeClaimObject[] = [...world.failedClaims.values()];
    for (const node of world.nodes.values()) {
      const claim = claimObject(node, nowMs);
      if (claim !== undefined) nodeClaims.push(claim);
    }
    if (this.seen !== undefined && !changed) {
      // Only time has passed, which changes nothing but conditions of NodeClaims.
      this.seen = { ...this.seen, nowMs, nodeClaims };
      return this.seen;
    }
    const pods: PodObject[] = [];
    for (const pod of world.pods.values()) pods.push(pod.object);
    for (const pod of world.inactivePods) pods.push(pod);
    const nodes: NodeObject[] = [];
    for (const node of world.nodes.values()) {
      const object = nodeObject(node);
      if (object !== undefined) nodes.push(object);
    }
    this.seenVersion = world.version;
    this.seen = { ...this.otherObjects(), pods, nodes, nodeClaims };
    return this.seen;
  }

  /** Everything but nodes and pods. */
  private otherObjects(): Omit<ClusterObjects, 'pods' | 'nodes' | 'nodeClaims'> {
    const { nowMs, scenario, offerings, apps } = this.world;
    const autoscalers = this.imported === undefined ? [] : this.imported.autoscalers;
    const podDisruptionBudgets: PodDisruptionBudgetObject[] = [];
    const workloads: WorkloadObject[] = [];
    for (const budget of this.world.importedBudgets) podDisruptionBudgets.push(budget.object);
    for (const state of apps) {
      if (this.imported !== undefined) break;
      const status = this.statusOf(state);
      if (status.budget !== undefined) podDisruptionBudgets.push(status.budget);
      for (const workload of status.workloads) workloads.push(workload);
    }
    return {
      nowMs,
      options: scenario.options,
      instanceTypes: offerings.types,
      nodePools: scenario.nodePools,
      daemonSets: this.daemonSets,
      podDisruptionBudgets,
      persistentVolumes: this.imported?.persistentVolumes ?? [],
      persistentVolumeClaims: this.imported?.persistentVolumeClaims ?? [],
      storageClasses: this.imported?.storageClasses ?? [],
      csiNodes: this.imported?.csiNodes ?? [],
      // The simulated Karpenter does not provision CapacityBuffers, so no other component sees them.
      services: this.imported?.services ?? [],
      podTemplates: [],
      capacityBuffers: [],
      nodeOverlays: this.imported?.nodeOverlays ?? [],
      namespaces: this.imported?.namespaces ?? [],
      undecodable: this.imported?.undecodable ?? [],
      ...(autoscalers === undefined ? {} : { autoscalers }),
      workloads: this.imported === undefined ? workloads : this.world.importedWorkloads.objects(),
    };
  }

  /** Like `objects`, with nodes that Karpenter marked for deletion as terminating, and with the taint of steering. */
  asKarpenterSees(): ClusterObjects {
    const seen = this.objects();
    const objects = seen.nodes.some(({ steered }) => steered)
      ? { ...seen, nodes: seen.nodes.map(withLeavingTaint) }
      : seen;
    const isMarked = ({ name, terminating }: NodeClaimObject) =>
      this.world.nodeOfClaim(name)?.marked === true && !terminating;
    if (!objects.nodeClaims.some(isMarked)) return objects;
    return {
      ...objects,
      nodeClaims: objects.nodeClaims.map((claim) => (isMarked(claim) ? asTerminating(claim) : claim)),
    };
  }

  private statusOf(state: AppState): Status {
    const known = this.statuses.get(state);
    const { desired, ready, revision, extraReplica } = state;
    const settled = isSettled(state);
    if (
      known !== undefined &&
      known.desired === desired &&
      known.ready === ready &&
      known.revision === revision &&
      known.settled === settled &&
      known.extraReplica === extraReplica
    )
      return known;
    const status = {
      desired,
      ready,
      revision,
      settled,
      extraReplica,
      budget: budgetObject(state, known?.budget),
      workloads: workloadObjects(state),
    };
    this.statuses.set(state, status);
    return status;
  }
}

/** Karpenter counts PreferNoSchedule as blocking. Returns the same object for the same node. */
function withLeavingTaint(node: NodeObject): NodeObject {
  if (!node.steered) return node;
  return getOrInsert(TAINTED, node, () => ({ ...node, taints: [...node.taints, LEAVING_TAINT] }));
}

const TAINTED = new WeakMap<NodeObject, NodeObject>();

/** Objects of a workload, and the state they were made from. */
interface Status {
  readonly desired: number;
  readonly ready: number;
  readonly revision: number;
  readonly settled: boolean;
  readonly extraReplica: string | undefined;
  readonly budget: PodDisruptionBudgetObject | undefined;
  readonly workloads: readonly WorkloadObject[];
}

function daemonSetObject({ namespace, name, labels, requests, constraints }: App): DaemonSetObject {
  return { namespace, name, uid: uidFor('DaemonSet', namespace, name), labels, requests, constraints };
}

function workloadObjects(state: AppState): readonly WorkloadObject[] {
  const { app, desired, ready, revision } = state;
  const { kind, namespace, name } = app;
  if (kind === 'DaemonSet') return [];
  const replicas = { replicas: desired, readyReplicas: ready };
  const uid = uidFor(kind, namespace, name);
  const own: WorkloadObject = { kind, namespace, name, uid, owners: [], ...replicas };
  if (kind !== 'Deployment') return [own];
  const set = replicaSetName(name, revision);
  return [
    { ...own, rollout: rolloutOf(state) },
    {
      kind: 'ReplicaSet',
      namespace,
      name: set,
      uid: uidFor('ReplicaSet', namespace, set),
      owners: [{ apiVersion: 'apps/v1', kind, name, uid: own.uid, controller: true }],
      ...replicas,
    },
  ];
}

function rolloutOf(state: AppState): DeploymentRollout {
  const { desired, restartedBy, extraReplica } = state;
  return {
    rolling: { maxSurge: Math.ceil(SURGE * desired), maxUnavailable: Math.floor(SURGE * desired) },
    paused: false,
    isSettled: isSettled(state),
    ...(restartedBy === undefined ? {} : { restartedBy }),
    ...(extraReplica === undefined ? {} : { extraReplica }),
  };
}
