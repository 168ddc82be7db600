import type { ClusterObjects, NodeClaimObject, PodObject } from '../engine/cluster/objects.ts';
import { EventQueue } from './event-queue.ts';
import { type ImportedBudget, importBudgets } from './imported-budgets.ts';
import { ImportedWorkloads } from './imported-workloads.ts';
import { Offerings } from './offerings.ts';
import { PodLimits } from './pod-limits.ts';
import { RandomStreams } from './random-streams.ts';
import { addTimes, ResourceColumns } from './resource-columns.ts';
import type { App, Scenario } from './scenario.ts';
import type { RemovalCause, SimNode } from './sim-node.ts';
import { type AppState, isInvoluntary, ownersOf, podName, type SimPod, type StopCause, uidFor } from './sim-pod.ts';

/** Callbacks for events; called after the event. */
export interface WorldListener {
  /** It is part of the imported cluster. */
  podImported?(pod: SimPod): void;
  nodeImported?(node: SimNode): void;
  podCreated?(pod: SimPod): void;
  /** kube-scheduler marked it unschedulable. */
  podUnschedulable?(pod: SimPod): void;
  podBound?(pod: SimPod, node: SimNode): void;
  podReady?(pod: SimPod): void;
  /** It starts to terminate. */
  podStopping?(pod: SimPod, cause: StopCause, wasReady: boolean): void;
  podGone?(pod: SimPod, node: SimNode | undefined): void;
  appScaled?(state: AppState): void;
  /** A rollout begins. */
  appRolled?(state: AppState): void;
  nodeLaunched?(node: SimNode): void;
  nodeReady?(node: SimNode): void;
  nodeUntainted?(node: SimNode): void;
  nodeDeleting?(node: SimNode): void;
  nodeGone?(node: SimNode): void;
  launchFailed?(claim: NodeClaimObject): void;
  pricesChanged?(): void;
}

/** Minimum interval of lastPodEventTime updates. */
const POD_EVENT_DEDUPE_MS = 10_000;

/**
 * State of the simulated cluster and all its transitions. The scheduler, the provisioner and the workload controllers
 * decide on transitions; they listen to events.
 */
export class World {
  readonly scenario: Scenario;
  readonly queue: EventQueue;
  readonly random: RandomStreams;
  readonly columns: ResourceColumns;
  readonly offerings: Offerings;
  readonly apps: readonly AppState[];
  readonly nodes = new Map<string, SimNode>();
  readonly pods = new Map<string, SimPod>();
  /** NodeClaims of failed launches, until they are deleted. */
  readonly failedClaims = new Map<string, NodeClaimObject>();
  readonly listeners: WorldListener[] = [];
  /** Imported pods that are finished or whose node is unknown; removed with their node. */
  inactivePods: PodObject[] = [];
  importedBudgets: readonly ImportedBudget[] = [];
  importedWorkloads = new ImportedWorkloads([], []);
  /** Node names of imported NodeClaims whose name differs. */
  readonly nodeOfImportedClaim = new Map<string, string>();
  private readonly growth: PodLimits;
  /** Incremented by every visible change. */
  version = 0;
  /** Karpenter's ConsolidationState: incremented when pods are bound or removed and when nodes change. */
  consolidationState = 0;

  constructor(scenario: Scenario, seed: number) {
    this.scenario = scenario;
    this.queue = new EventQueue(scenario.startMs);
    this.growth = new PodLimits(scenario.startMs);
    this.random = new RandomStreams(seed);
    this.columns = new ResourceColumns(scenario.apps);
    this.offerings = new Offerings(scenario.instanceTypes, scenario.nodePools);
    this.apps = scenario.apps.map((app) => this.stateOf(app));
  }

  get nowMs(): number {
    return this.queue.nowMs;
  }

  private stateOf(app: App): AppState {
    return {
      app,
      requests: this.columns.requests(app.requests),
      pods: new Set(),
      desired: 0,
      runTimesMs: [],
      remaining: app.kind === 'Job' ? (app.remaining ?? 0) : 0,
      active: 0,
      ready: 0,
      evictedAtMs: [],
      revision: 1,
      restartedBy: undefined,
      extraReplica: undefined,
      podsCreated: 0,
      importedBudgets: [],
    };
  }

  /** To be called after all objects are imported. */
  importCompleted({ podDisruptionBudgets, workloads }: ClusterObjects): void {
    this.growth.begin(this.pods.size);
    this.importedBudgets = importBudgets(podDisruptionBudgets, this.apps);
    this.importedWorkloads = new ImportedWorkloads(workloads, this.apps);
  }

  /** By the name of its NodeClaim. */
  nodeOfClaim(name: string): SimNode | undefined {
    return this.nodes.get(this.nodeOfImportedClaim.get(name) ?? name);
  }

  /** An extra replica comes on top. */
  scale(state: AppState, replicas: number): void {
    const desired = replicas + (state.extraReplica === undefined ? 0 : 1);
    if (state.desired === desired) return;
    state.desired = desired;
    this.version++;
    for (const l of this.listeners) l.appScaled?.(state);
  }

  /** Sets the command of an extra replica, or none. */
  setExtraReplica(state: AppState, command: string | undefined): void {
    const replicas = state.desired - (state.extraReplica === undefined ? 0 : 1);
    state.extraReplica = command;
    this.version++;
    this.scale(state, replicas);
  }

  /** Starts a rollout of a new revision, or back to an earlier one. */
  setRevision(state: AppState, revision: number, restartedBy: string | undefined): void {
    state.revision = revision;
    state.restartedBy = restartedBy;
    this.version++;
    for (const l of this.listeners) l.appRolled?.(state);
  }

  /** The only workload of a Deployment; undefined if it has none or several. */
  stateOfDeployment(uid: string): AppState | undefined {
    const own = this.apps.filter(
      ({ app }) => app.kind === 'Deployment' && uidFor(app.kind, app.namespace, app.name) === uid,
    );
    const states = own.length > 0 ? own : this.importedWorkloads.statesOf(uid);
    return states.length === 1 ? states[0] : undefined;
  }

  /** `name`: for StatefulSet pods, which keep their name. */
  createPod(state: AppState, more: { readonly name?: string; readonly predecessorEvictedMs?: number } = {}): SimPod {
    const { app } = state;
    this.growth.grow(this.pods.size, `${app.namespace}/${app.name}`, this.nowMs);
    const number = this.freeNumber(state);
    const name = more.name ?? nameOf(state, number);
    const runMs = state.runTimesMs.shift();
    const pod: SimPod = {
      state,
      ...(runMs === undefined ? {} : { runMs }),
      revision: state.revision,
      node: undefined,
      readyMs: undefined,
      predecessorEvictedMs: more.predecessorEvictedMs,
      stopping: undefined,
      expectedOn: undefined,
      expectedUntilMs: 0,
      gone: false,
      object: {
        namespace: app.namespace,
        name,
        uid: uidFor('Pod', app.namespace, `${name}/${String(number).padStart(6, '0')}`),
        createdMs: this.nowMs,
        terminating: false,
        labels: app.labels,
        doNotDisrupt: app.doNotDisrupt,
        deletionCost: app.deletionCost,
        owners: ownersOf(app, state.revision),
        nodeName: '',
        nominatedNodeName: '',
        phase: 'Pending',
        unschedulable: false,
        ready: '',
        priority: app.priority,
        requests: app.requests,
        constraints: app.constraints,
        volumeClaims: app.volumeClaimsByPod?.[name] ?? app.volumeClaims ?? [],
        ...app.podFields,
      },
    };
    state.pods.add(pod);
    state.active++;
    this.pods.set(podName(pod), pod);
    this.version++;
    for (const l of this.listeners) l.podCreated?.(pod);
    return pod;
  }

  /** Imported pods may have used the name. */
  private freeNumber(state: AppState): number {
    do state.podsCreated++;
    while (this.pods.has(`${state.app.namespace}/${nameOf(state, state.podsCreated)}`));
    return state.podsCreated;
  }

  markUnschedulable(pod: SimPod): void {
    if (pod.object.unschedulable) return;
    pod.object = { ...pod.object, unschedulable: true };
    this.version++;
    for (const l of this.listeners) l.podUnschedulable?.(pod);
  }

  bind(pod: SimPod, node: SimNode): void {
    pod.node = node;
    pod.object = { ...pod.object, nodeName: node.name, unschedulable: false };
    node.pods.add(pod);
    node.load = undefined;
    node.freeCapacity = undefined;
    addTimes(node.free, pod.state.requests, -1);
    this.podEvent(pod);
    this.version++;
    this.consolidationState++;
    for (const l of this.listeners) l.podBound?.(pod, node);
  }

  ready(pod: SimPod): void {
    pod.readyMs = this.nowMs;
    if (pod.node !== undefined) pod.node.load = undefined;
    pod.object = {
      ...pod.object,
      phase: 'Running',
      startedMs: this.nowMs,
      ready: 'True',
      readyChangedMs: this.nowMs,
    };
    pod.state.ready++;
    this.version++;
    for (const l of this.listeners) l.podReady?.(pod);
  }

  /** The pod starts to terminate and is no longer ready; `remove` deletes it. */
  stop(pod: SimPod, cause: StopCause): void {
    if (pod.stopping !== undefined) return;
    const wasReady = pod.readyMs !== undefined;
    pod.stopping = cause;
    if (pod.node !== undefined) pod.node.load = undefined;
    pod.state.active--;
    if (wasReady) pod.state.ready--;
    if (isInvoluntary(cause) && pod.state.app.kind !== 'DaemonSet') {
      pod.state.evictedAtMs.push(this.nowMs);
      // The replacement starts from the beginning.
      if (pod.runMs !== undefined) pod.state.runTimesMs.push(pod.runMs);
    }
    pod.object = {
      ...pod.object,
      terminating: true,
      ...(wasReady ? { ready: 'False', readyChangedMs: this.nowMs } : {}),
    };
    this.podEvent(pod);
    this.version++;
    for (const l of this.listeners) l.podStopping?.(pod, cause, wasReady);
  }

  remove(pod: SimPod): void {
    if (pod.gone) return;
    if (pod.stopping === undefined) this.stop(pod, 'node-gone');
    pod.gone = true;
    const { node, state } = pod;
    if (node !== undefined) {
      node.pods.delete(pod);
      node.load = undefined;
      node.freeCapacity = undefined;
      addTimes(node.free, state.requests, 1);
    }
    state.pods.delete(pod);
    this.pods.delete(podName(pod));
    this.version++;
    this.consolidationState++;
    for (const l of this.listeners) l.podGone?.(pod, node);
  }

  /** Pod events restart consolidateAfter; DaemonSet pods and final removals do not count. */
  private podEvent(pod: SimPod): void {
    const { node } = pod;
    if (node === undefined || pod.state.app.kind === 'DaemonSet') return;
    if (node.lastPodEventMs !== undefined && this.nowMs - node.lastPodEventMs < POD_EVENT_DEDUPE_MS) return;
    node.lastPodEventMs = this.nowMs;
    node.cachedClaim = undefined;
  }

  /** Drops cached objects of the node. */
  nodeChanged(node: SimNode): void {
    node.cachedNode = undefined;
    node.cachedClaim = undefined;
    this.version++;
  }

  /** Karpenter marks the node for deletion, or unmarks it. */
  mark(node: SimNode, marked: boolean): void {
    node.marked = marked;
    this.consolidationState++;
    this.version++;
  }

  taint(node: SimNode, tainted: boolean): void {
    if (node.tainted === tainted) return;
    node.tainted = tainted;
    this.nodeChanged(node);
    if (!tainted) for (const l of this.listeners) l.nodeUntainted?.(node);
  }

  /** Adds or removes the soft taint of steering. */
  steerNode(node: SimNode, steered: boolean): void {
    if (node.steered === steered) return;
    node.steered = steered;
    this.nodeChanged(node);
  }

  /** Sets or removes the deletion cost of steering; a cost of the workload's own stays. */
  steerPod(pod: SimPod, cost: number | undefined): void {
    const { steeredCost, ...object } = pod.object;
    if (object.deletionCost !== undefined || steeredCost === cost) return;
    pod.object = cost === undefined ? object : { ...object, steeredCost: cost };
    this.version++;
  }

  launched(node: SimNode): void {
    this.nodes.set(node.name, node);
    this.version++;
    this.consolidationState++;
    for (const l of this.listeners) l.nodeLaunched?.(node);
  }

  launchFailed(claim: NodeClaimObject): void {
    this.failedClaims.set(claim.name, claim);
    this.version++;
    for (const l of this.listeners) l.launchFailed?.(claim);
  }

  nodeReady(node: SimNode): void {
    node.readyMs = this.nowMs;
    this.consolidationState++;
    this.nodeChanged(node);
    for (const l of this.listeners) l.nodeReady?.(node);
  }

  /** Deletes the NodeClaim; its pods are drained. */
  deleteNode(node: SimNode, cause: RemovalCause): void {
    if (node.removal !== undefined) return;
    node.removal = cause;
    node.deleting = true;
    this.consolidationState++;
    this.nodeChanged(node);
    for (const l of this.listeners) l.nodeDeleting?.(node);
  }

  nodeGone(node: SimNode): void {
    for (const pod of [...node.pods]) this.remove(pod);
    node.gone = true;
    this.nodes.delete(node.name);
    this.inactivePods = this.inactivePods.filter((pod) => pod.nodeName !== node.name);
    this.version++;
    this.consolidationState++;
    for (const l of this.listeners) l.nodeGone?.(node);
  }

  pricesChanged(): void {
    this.version++;
    for (const l of this.listeners) l.pricesChanged?.();
  }
}

function nameOf({ app, revision }: AppState, number: number): string {
  return `${app.name}-${revision}-${String(number).padStart(6, '0')}`;
}
