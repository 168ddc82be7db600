import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type {
  ClusterObjects,
  LabelSelector,
  NodeClaimObject,
  NodeObject,
  PodObject,
  Resources,
} from '../engine/cluster/objects.ts';
import { isSameList } from '../engine/cluster/same-list.ts';
import { asTerminating } from '../engine/cluster/terminating-claim.ts';
import { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import { STOCK_SETTINGS } from '../engine/settings.ts';
import { type ClusterObserver, withLeavingTaint } from './cluster-observer.ts';
import type { KubeScheduler } from './kube-scheduler.ts';
import { loadOf, type NodeLoad } from './node-load.ts';
import { add, fits } from './resource-columns.ts';
import { claimObject, nodeObject, type SimNode } from './sim-node.ts';
import type { AppState, SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

/**
 * Compiles the cluster for stock Karpenter: the only place where its provisioner and its consolidation ask the engine.
 * To compile less, it leaves out nodes and pods that cannot affect the answer: nodes without room for any pod that has
 * to be placed, and pods that no constraint counts. A law in laws.test.ts compares runs with and without this. A
 * day of stock on 275 nodes takes 14 s of processor time instead of 32 s.
 */
export class KarpenterPass {
  private readonly world: World;
  private readonly observer: ClusterObserver;
  private readonly scheduler: KubeScheduler;
  /** Workloads whose pods the constraints of a workload count. */
  private readonly counted = new Map<AppState, ReadonlySet<AppState>>();
  /** Compile everything: Balanced scores whole pools, limits count their nodes, and volumes are counted per node. */
  private readonly needsAll: boolean;
  private readonly cluster = new IncrementalCluster();
  private readonly reduced = new WeakMap<SimNode, ReducedNode>();
  /** Workloads whose pods are always included on nodes with room. */
  private readonly alwaysIncluded: ReadonlySet<AppState>;

  constructor(world: World, observer: ClusterObserver, scheduler: KubeScheduler) {
    this.scheduler = scheduler;
    this.world = world;
    this.observer = observer;
    this.alwaysIncluded = new Set(world.apps.filter(isAlwaysIncluded));
    const { nodePools, start } = world.scenario;
    this.needsAll =
      (start?.objects.persistentVolumeClaims.length ?? 0) > 0 ||
      nodePools.some((p) => p.consolidationPolicy === 'Balanced' || Object.keys(p.limits).length > 0);
  }

  /** Enough of the cluster to decide about these nodes and the pending pods, compiled with Karpenter's settings. */
  compiled(candidates: ReadonlySet<SimNode>): CompiledCluster {
    const objects = this.needsAll ? this.observer.asKarpenterSees() : this.objectsFor(candidates);
    return this.cluster.compile(objects, STOCK_SETTINGS);
  }

  private objectsFor(candidates: ReadonlySet<SimNode>): ClusterObjects {
    const { world } = this;
    const pods: PodObject[] = [];
    const reschedulable = new Set<AppState>();
    for (const pod of this.scheduler.pending) {
      pods.push(pod.object);
      reschedulable.add(pod.state);
    }
    for (const node of world.nodes.values()) {
      if (candidates.has(node) || node.deleting || node.marked)
        for (const state of loadOf(node).reschedulable.keys()) reschedulable.add(state);
    }
    const counted = this.countedFor(reschedulable);
    const countedOn = podsByNode(counted);
    const sizes = [...new Set(Array.from(reschedulable, ({ requests }) => requests))];
    const nodes: NodeObject[] = [];
    const nodeClaims: NodeClaimObject[] = [];
    for (const node of world.nodes.values()) {
      const shown = nodeObject(node);
      const object = shown === undefined ? undefined : withLeavingTaint(shown);
      if (candidates.has(node) || node.deleting || node.marked || object === undefined) {
        const claim = this.claimAsSeen(node);
        if (claim !== undefined) nodeClaims.push(claim);
        if (object !== undefined) nodes.push(object);
        for (const pod of node.pods) pods.push(pod.object);
        continue;
      }
      const hasCapacity = hasCapacityFor(node, sizes);
      const included = countedOn.get(node) ?? [];
      if (!hasCapacity && included.length === 0) continue;
      if (hasCapacity) {
        const all = loadOf(node).pods;
        for (const state of this.alwaysIncluded)
          if (!counted.has(state)) for (const pod of all.get(state) ?? []) included.push(pod);
      }
      for (const pod of included) pods.push(pod.object);
      const { node: reduced, claim } = this.reducedNode(node, object, included, hasCapacity);
      if (claim !== undefined) nodeClaims.push(claim);
      nodes.push(reduced);
    }
    return { ...this.observer.otherObjects(), pods, nodes, nodeClaims };
  }

  /** Karpenter treats nodes that it is about to delete as terminating. */
  private claimAsSeen(node: SimNode): NodeClaimObject | undefined {
    const claim = claimObject(node, this.world.nowMs);
    return claim !== undefined && node.marked ? asTerminating(claim) : claim;
  }

  /**
   * The node with only the included pods: its allocatable is lowered by the requests of the others, and is nothing if it
   * has no room. Returns the same objects as last time if nothing changed.
   */
  private reducedNode(
    node: SimNode,
    object: NodeObject,
    included: readonly SimPod[],
    hasCapacity: boolean,
  ): ReducedNode {
    const claim = claimObject(node, this.world.nowMs);
    const load = loadOf(node);
    const known = this.reduced.get(node);
    if (known !== undefined && known.of === object && known.ofClaim === claim && known.hasCapacity === hasCapacity) {
      if (!hasCapacity || (known.load === load && isSameList(known.included, included))) return known;
    }
    const allocatable = hasCapacity ? this.world.columns.resources(allocatableFor(node, included)) : NOTHING;
    const reduced = {
      of: object,
      ofClaim: claim,
      load,
      included,
      hasCapacity,
      node: { ...object, allocatable },
      claim: claim === undefined ? undefined : { ...claim, allocatable },
    };
    this.reduced.set(node, reduced);
    return reduced;
  }

  /** Workloads whose pods these workloads' constraints count, or that repel their pods. */
  private countedFor(states: ReadonlySet<AppState>): ReadonlySet<AppState> {
    const all = new Set<AppState>();
    for (const state of states) for (const other of this.countedBy(state)) all.add(other);
    return all;
  }

  private countedBy(state: AppState): ReadonlySet<AppState> {
    return getOrInsert(this.counted, state, () => {
      const { constraints: c } = state.app;
      const required = [...c.requiredAffinity, ...c.requiredAntiAffinity];
      const preferred = [...c.preferredAffinity, ...c.preferredAntiAffinity].map(({ term }) => term);
      const selectors = [...c.topologySpread, ...required, ...preferred].map(({ labelSelector }) => labelSelector);
      const isCounted = (other: AppState) =>
        selectors.some((selector) => selects(selector, other)) ||
        other.app.constraints.requiredAntiAffinity.some(({ labelSelector }) => selects(labelSelector, state));
      return new Set(this.world.apps.filter(isCounted));
    });
  }
}

/** A node with lowered allocatable, and what it was made from. */
interface ReducedNode {
  readonly of: NodeObject;
  readonly ofClaim: NodeClaimObject | undefined;
  readonly load: NodeLoad;
  readonly included: readonly SimPod[];
  readonly hasCapacity: boolean;
  readonly node: NodeObject;
  readonly claim: NodeClaimObject | undefined;
}

const NOTHING: Resources = {};

function podsByNode(states: Iterable<AppState>): Map<SimNode, SimPod[]> {
  const out = new Map<SimNode, SimPod[]>();
  for (const state of states) {
    for (const pod of state.pods) {
      if (pod.node === undefined) continue;
      getOrInsert(out, pod.node, () => []).push(pod);
    }
  }
  return out;
}

function allocatableFor({ free }: SimNode, included: readonly SimPod[]): Float64Array {
  const amounts = free.slice();
  for (const { state } of included) add(amounts, state.requests, 1);
  return amounts;
}

/** The engine reserves room for a DaemonSet's missing pods and checks host ports, so these pods must be there. */
function isAlwaysIncluded({ app }: AppState): boolean {
  return app.kind === 'DaemonSet' || app.constraints.hostPorts.length > 0;
}

/** Ignores namespaces: including a pod that does not count is harmless. */
function selects(selector: LabelSelector | undefined, { app }: AppState): boolean {
  return compileSelector(selector).matches(app.labels);
}

function hasCapacityFor({ free }: SimNode, sizes: readonly Float64Array[]): boolean {
  for (const requests of sizes) if (fits(requests, free)) return true;
  return false;
}
