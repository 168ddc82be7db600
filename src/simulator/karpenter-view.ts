import type {
  ClusterObjects,
  LabelSelector,
  NodeClaimObject,
  NodeObject,
  PodObject,
  Resources,
} from '../engine/cluster/objects.ts';
import { asTerminating } from '../engine/cluster/terminating-claim.ts';
import { compile } from '../engine/scheduling/compile.ts';
import { CompileMemory } from '../engine/scheduling/compile-memory.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { compileSelector } from '../engine/selection/label-selector.ts';
import { STOCK_SETTINGS } from '../engine/settings.ts';
import type { ClusterObserver } from './cluster-observer.ts';
import type { KubeScheduler } from './kube-scheduler.ts';
import { loadOf, type NodeLoad } from './node-load.ts';
import { add, fits } from './resource-columns.ts';
import { claimObject, nodeObject, type SimNode } from './sim-node.ts';
import type { AppState, SimPod } from './sim-pod.ts';
import { StandIns } from './stand-ins.ts';
import type { World } from './world.ts';

/**
 * The cluster as Karpenter sees it, without what cannot matter to a question about some of its nodes, which is most of a
 * cluster that is packed. A node without room for any pod that has to be placed is left out; if constraints of those
 * pods count pods on it, another stands in for it with these pods, or it stays as a husk with them and no room. Nothing
 * that a simulation decides comes out differently.
 */
export class KarpenterView {
  private readonly world: World;
  private readonly observer: ClusterObserver;
  private readonly scheduler: KubeScheduler;
  /** Pods that constraints of a workload look at belong to these. */
  private readonly counted = new Map<AppState, ReadonlySet<AppState>>();
  /** Karpenter's Balanced policy weighs whole pools, limits count their nodes, and volumes are counted on nodes. */
  private readonly whole: boolean;
  private readonly memory = new CompileMemory();
  private readonly husks = new WeakMap<SimNode, Husk>();
  private readonly standIns: StandIns;
  /** Workloads whose pods are shown wherever there is room. */
  private readonly special: ReadonlySet<AppState>;

  constructor(world: World, observer: ClusterObserver, scheduler: KubeScheduler) {
    this.scheduler = scheduler;
    this.world = world;
    this.observer = observer;
    this.special = new Set(world.apps.filter(isSpecial));
    this.standIns = new StandIns(world.apps);
    const { nodePools, start } = world.scenario;
    this.whole =
      (start?.objects.persistentVolumeClaims.length ?? 0) > 0 ||
      nodePools.some((p) => p.consolidationPolicy === 'Balanced' || Object.keys(p.limits).length > 0);
  }

  /** Compiled as Karpenter decides; see `about`. */
  compiled(nodes: ReadonlySet<SimNode>): CompiledCluster {
    return compile(this.about(nodes), STOCK_SETTINGS, this.memory);
  }

  /** Enough to know what becomes of these nodes, and of pods that wait. */
  private about(nodes: ReadonlySet<SimNode>): ClusterObjects {
    if (this.whole) return this.observer.asKarpenterSees();
    const { world } = this;
    const pods: PodObject[] = [];
    const moving = new Set<AppState>();
    for (const pod of this.scheduler.pending) {
      pods.push(pod.object);
      moving.add(pod.state);
    }
    for (const node of world.nodes.values()) {
      if (nodes.has(node) || node.deleting || node.marked)
        for (const state of loadOf(node).moving.keys()) moving.add(state);
    }
    const counted = this.countedFor(moving);
    const countedOn = podsByNode(counted);
    const mayStandIn = this.standIns.mayServe(moving) && this.standIns.mayServe(counted);
    const sizes = [...new Set(Array.from(moving, ({ requests }) => requests))];
    const shown: NodeObject[] = [];
    const standingIn = new Set<NodeObject>();
    const nodeClaims: NodeClaimObject[] = [];
    for (const node of world.nodes.values()) {
      const object = nodeObject(node);
      if (nodes.has(node) || node.deleting || node.marked || object === undefined) {
        const claim = this.claimAsSeen(node);
        if (claim !== undefined) nodeClaims.push(claim);
        if (object !== undefined) shown.push(object);
        for (const pod of node.pods) pods.push(pod.object);
        continue;
      }
      const room = hasRoom(node, sizes);
      // Of pods that stay only those are shown that count; the others have left their marks on what is free.
      const held = countedOn.get(node) ?? [];
      if (!room && held.length === 0) continue;
      const standIn = room || !mayStandIn ? undefined : this.standIns.of(object);
      if (standIn !== undefined) {
        for (const pod of held) pods.push(this.standIns.podOn(standIn, pod));
        standingIn.add(standIn);
        continue;
      }
      if (room) {
        const all = loadOf(node).pods;
        for (const state of this.special)
          if (!counted.has(state)) for (const pod of all.get(state) ?? []) held.push(pod);
      }
      for (const pod of held) pods.push(pod.object);
      const husk = this.huskOf(node, object, held, room);
      if (husk.claim !== undefined) nodeClaims.push(husk.claim);
      shown.push(husk.node);
    }
    return { ...this.observer.surroundings(), pods, nodes: [...shown, ...standingIn], nodeClaims };
  }

  /** Karpenter remembers which nodes it is about to delete. */
  private claimAsSeen(node: SimNode): NodeClaimObject | undefined {
    const claim = claimObject(node, this.world.nowMs);
    return claim !== undefined && node.marked ? asTerminating(claim) : claim;
  }

  /**
   * The node with as much to offer as would leave what is free if only these pods were on it; with nothing to offer if it
   * has no room. The same objects as last time if nothing is different.
   */
  private huskOf(node: SimNode, object: NodeObject, held: readonly SimPod[], room: boolean): Husk {
    const claim = claimObject(node, this.world.nowMs);
    const load = loadOf(node);
    const known = this.husks.get(node);
    if (known !== undefined && known.of === object && known.ofClaim === claim && known.room === room) {
      // Who has no room has nothing to offer, whoever is on it.
      if (!room || (known.load === load && isSame(known.held, held))) return known;
    }
    const allocatable = room ? this.world.columns.resources(amountsLeft(node, held)) : NOTHING;
    const husk = {
      of: object,
      ofClaim: claim,
      load,
      held,
      room,
      node: { ...object, allocatable },
      claim: claim === undefined ? undefined : { ...claim, allocatable },
    };
    this.husks.set(node, husk);
    return husk;
  }

  /** Workloads whose pods count for constraints of these, or keep them away. */
  private countedFor(moving: ReadonlySet<AppState>): ReadonlySet<AppState> {
    const all = new Set<AppState>();
    for (const state of moving) for (const other of this.countedBy(state)) all.add(other);
    return all;
  }

  private countedBy(state: AppState): ReadonlySet<AppState> {
    let known = this.counted.get(state);
    if (known === undefined) {
      const { constraints: c } = state.app;
      const terms = [...c.requiredAffinity, ...c.requiredAntiAffinity];
      const wishes = [...c.preferredAffinity, ...c.preferredAntiAffinity].map(({ term }) => term);
      const selectors = [...c.topologySpread, ...terms, ...wishes].map(({ labelSelector }) => labelSelector);
      known = new Set(
        this.world.apps.filter(
          (other) =>
            selectors.some((selector) => selects(selector, other)) ||
            other.app.constraints.requiredAntiAffinity.some(({ labelSelector }) => selects(labelSelector, state)),
        ),
      );
      this.counted.set(state, known);
    }
    return known;
  }
}

/** A node as it is shown to have so much, and what it was made from. */
interface Husk {
  readonly of: NodeObject;
  readonly ofClaim: NodeClaimObject | undefined;
  readonly load: NodeLoad;
  readonly held: readonly SimPod[];
  readonly room: boolean;
  readonly node: NodeObject;
  readonly claim: NodeClaimObject | undefined;
}

const NOTHING: Resources = {};

/** Pods of these workloads by where they are. */
function podsByNode(states: Iterable<AppState>): Map<SimNode, SimPod[]> {
  const out = new Map<SimNode, SimPod[]>();
  for (const state of states) {
    for (const pod of state.pods) {
      if (pod.node === undefined) continue;
      const own = out.get(pod.node);
      if (own === undefined) out.set(pod.node, [pod]);
      else own.push(pod);
    }
  }
  return out;
}

function amountsLeft({ free }: SimNode, held: readonly SimPod[]): Float64Array {
  const amounts = free.slice();
  for (const { state } of held) add(amounts, state.requests, 1);
  return amounts;
}

function isSame(a: readonly SimPod[], b: readonly SimPod[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** A DaemonSet's pod is expected on its node, and host ports are taken. */
function isSpecial({ app }: AppState): boolean {
  return app.kind === 'DaemonSet' || app.constraints.hostPorts.length > 0;
}

/** Namespaces aside: who is counted too much does no harm. */
function selects(selector: LabelSelector | undefined, { app }: AppState): boolean {
  return compileSelector(selector).matches(app.labels);
}

function hasRoom({ free }: SimNode, sizes: readonly Float64Array[]): boolean {
  for (const requests of sizes) if (fits(requests, free)) return true;
  return false;
}
