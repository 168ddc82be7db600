import type { ClusterObjects, NodeClaimObject, PodObject } from '../engine/cluster/objects.ts';
import { EventQueue } from './event-queue.ts';
import { type FoundBudget, findBudgets } from './found-budgets.ts';
import { FoundWorkloads } from './found-workloads.ts';
import { OfferingBook } from './offering-book.ts';
import { Growth } from './outgrown.ts';
import { RandomStreams } from './random-streams.ts';
import { add, ResourceColumns } from './resource-columns.ts';
import type { App, Scenario } from './scenario.ts';
import type { RemovalCause, SimNode } from './sim-node.ts';
import { type AppState, isInvoluntary, ownersOf, podName, type SimPod, type StopCause, uidOf } from './sim-pod.ts';

/** What wants to know when something has happened. It has happened when they are called. */
export interface WorldListener {
  /** It was there from the beginning. */
  podFound?(pod: SimPod): void;
  nodeFound?(node: SimNode): void;
  podCreated?(pod: SimPod): void;
  /** The scheduler found no place for it. */
  podUnschedulable?(pod: SimPod): void;
  podBound?(pod: SimPod, node: SimNode): void;
  podReady?(pod: SimPod): void;
  /** It will stop, and was ready or not before. */
  podStopping?(pod: SimPod, cause: StopCause, wasReady: boolean): void;
  podGone?(pod: SimPod, node: SimNode | undefined): void;
  appScaled?(state: AppState): void;
  nodeLaunched?(node: SimNode): void;
  nodeReady?(node: SimNode): void;
  nodeUntainted?(node: SimNode): void;
  nodeDeleting?(node: SimNode): void;
  nodeGone?(node: SimNode): void;
  launchFailed?(claim: NodeClaimObject): void;
  pricesChanged?(): void;
}

/** Between two pod events that a NodeClaim records. */
const POD_EVENT_DEDUPE_MS = 10_000;

/**
 * Everything that is in the cluster, and the few ways in which it changes. Who decides on changes (scheduler,
 * provisioning, controllers of workloads) lives elsewhere and listens.
 */
export class World {
  readonly scenario: Scenario;
  readonly queue: EventQueue;
  readonly chance: RandomStreams;
  readonly columns: ResourceColumns;
  readonly offerings: OfferingBook;
  readonly apps: readonly AppState[];
  readonly nodes = new Map<string, SimNode>();
  readonly pods = new Map<string, SimPod>();
  /** NodeClaims that could not be launched, for the moment that they are still seen. */
  readonly failedClaims = new Map<string, NodeClaimObject>();
  readonly listeners: WorldListener[] = [];
  /** Pods that are over, or whose node is not there: they are seen as long as their node is. */
  bystanders: PodObject[] = [];
  foundBudgets: readonly FoundBudget[] = [];
  foundWorkloads = new FoundWorkloads([], []);
  /** Where they are not called the same: the node of each NodeClaim that was there from the beginning. */
  readonly nodeOfFoundClaim = new Map<string, string>();
  private readonly growth: Growth;
  /** Counts changes of anything that can be seen. */
  version = 0;
  /** Counts what makes Karpenter look again: pods bound and gone, nodes that come, get ready, are marked or go. */
  upheavals = 0;

  constructor(scenario: Scenario, seed: number) {
    this.scenario = scenario;
    this.queue = new EventQueue(scenario.startMs);
    this.growth = new Growth(scenario.startMs);
    this.chance = new RandomStreams(seed);
    this.columns = new ResourceColumns(scenario.apps);
    this.offerings = new OfferingBook(scenario.instanceTypes, scenario.nodePools);
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
      active: 0,
      ready: 0,
      lost: [],
      revision: 1,
      made: 0,
      foundBudgets: [],
    };
  }

  /** Everything that was there from the beginning is in its place. */
  settled({ podDisruptionBudgets, workloads }: ClusterObjects): void {
    this.growth.begin(this.pods.size);
    this.foundBudgets = findBudgets(podDisruptionBudgets, this.apps);
    this.foundWorkloads = new FoundWorkloads(workloads, this.apps);
  }

  /** By the name of its NodeClaim. */
  nodeOfClaim(name: string): SimNode | undefined {
    return this.nodes.get(this.nodeOfFoundClaim.get(name) ?? name);
  }

  scale(state: AppState, desired: number): void {
    if (state.desired === desired) return;
    state.desired = desired;
    this.version++;
    for (const l of this.listeners) l.appScaled?.(state);
  }

  /** `name`: of pods that keep it when they come back; others get a new one. */
  createPod(state: AppState, more: { readonly name?: string; readonly successorOfMs?: number } = {}): SimPod {
    const { app } = state;
    this.growth.grow(this.pods.size, `${app.namespace}/${app.name}`, this.nowMs);
    const number = this.freeNumber(state);
    const name = more.name ?? nameOf(state, number);
    const pod: SimPod = {
      state,
      revision: state.revision,
      node: undefined,
      readyMs: undefined,
      successorOfMs: more.successorOfMs,
      stopping: undefined,
      expectedOn: undefined,
      expectedUntilMs: 0,
      gone: false,
      object: {
        namespace: app.namespace,
        name,
        uid: uidOf('Pod', app.namespace, `${name}/${String(number).padStart(6, '0')}`),
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
        volumeClaims: [],
      },
    };
    state.pods.add(pod);
    state.active++;
    this.pods.set(podName(pod), pod);
    this.version++;
    for (const l of this.listeners) l.podCreated?.(pod);
    return pod;
  }

  /** Pods that were there from the beginning may have names like ours. */
  private freeNumber(state: AppState): number {
    do state.made++;
    while (this.pods.has(`${state.app.namespace}/${nameOf(state, state.made)}`));
    return state.made;
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
    node.room = undefined;
    add(node.free, pod.state.requests, -1);
    this.podEvent(pod);
    this.version++;
    this.upheavals++;
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

  /** Asks the pod to stop. It serves nobody from now on, and is gone when `remove` is called. */
  stop(pod: SimPod, cause: StopCause): void {
    if (pod.stopping !== undefined) return;
    const wasReady = pod.readyMs !== undefined;
    pod.stopping = cause;
    if (pod.node !== undefined) pod.node.load = undefined;
    pod.state.active--;
    if (wasReady) pod.state.ready--;
    if (isInvoluntary(cause) && pod.state.app.kind !== 'DaemonSet') pod.state.lost.push(this.nowMs);
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
      node.room = undefined;
      add(node.free, state.requests, 1);
    }
    state.pods.delete(pod);
    this.pods.delete(podName(pod));
    this.version++;
    this.upheavals++;
    for (const l of this.listeners) l.podGone?.(pod, node);
  }

  /** What happens to pods restarts consolidateAfter; DaemonSets' pods do not count, nor does their final removal. */
  private podEvent(pod: SimPod): void {
    const { node } = pod;
    if (node === undefined || pod.state.app.kind === 'DaemonSet') return;
    if (node.lastPodEventMs !== undefined && this.nowMs - node.lastPodEventMs < POD_EVENT_DEDUPE_MS) return;
    node.lastPodEventMs = this.nowMs;
    node.shownClaim = undefined;
  }

  /** The node changed: what is shown of it is to be made anew. */
  nodeChanged(node: SimNode): void {
    node.shownNode = undefined;
    node.shownClaim = undefined;
    this.version++;
  }

  /** Karpenter means to delete it, or does not any more. */
  mark(node: SimNode, marked: boolean): void {
    node.marked = marked;
    this.upheavals++;
    this.version++;
  }

  taint(node: SimNode, tainted: boolean): void {
    if (node.tainted === tainted) return;
    node.tainted = tainted;
    this.nodeChanged(node);
    if (!tainted) for (const l of this.listeners) l.nodeUntainted?.(node);
  }

  launched(node: SimNode): void {
    this.nodes.set(node.name, node);
    this.version++;
    this.upheavals++;
    for (const l of this.listeners) l.nodeLaunched?.(node);
  }

  launchFailed(claim: NodeClaimObject): void {
    this.failedClaims.set(claim.name, claim);
    this.version++;
    for (const l of this.listeners) l.launchFailed?.(claim);
  }

  nodeReady(node: SimNode): void {
    node.readyMs = this.nowMs;
    this.upheavals++;
    this.nodeChanged(node);
    for (const l of this.listeners) l.nodeReady?.(node);
  }

  /** Its NodeClaim is deleted; what runs on it has to leave. */
  deleteNode(node: SimNode, cause: RemovalCause): void {
    if (node.removal !== undefined) return;
    node.removal = cause;
    node.deleting = true;
    this.upheavals++;
    this.nodeChanged(node);
    for (const l of this.listeners) l.nodeDeleting?.(node);
  }

  nodeGone(node: SimNode): void {
    for (const pod of [...node.pods]) this.remove(pod);
    node.gone = true;
    this.nodes.delete(node.name);
    this.bystanders = this.bystanders.filter((pod) => pod.nodeName !== node.name);
    this.version++;
    this.upheavals++;
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
