import { isDisruptable } from '../engine/cluster/pods.ts';
import { evictionsAllowed } from './budget-status.ts';
import { loadOf } from './node-load.ts';
import { add, fits } from './resource-columns.ts';
import { claimObject, type SimNode } from './sim-node.ts';
import type { AppState } from './sim-pod.ts';
import type { World } from './world.ts';

/** A node that stock Karpenter would look at, as far as can be told without a simulation. */
export interface ScreenedNode {
  readonly node: SimNode;
  /** Pods that would have to move, by workload. */
  readonly moving: ReadonlyMap<AppState, number>;
  readonly starting: boolean;
  /** Price per unit of disruption, by which Karpenter orders. */
  readonly worth: number;
}

/** Where pods of one size could go: how many to each node, and to all. */
interface Hosts {
  readonly byNode: ReadonlyMap<SimNode, number>;
  readonly pods: number;
}

/** Sums of many amounts may be off by a little; less than a millicore, a byte or a pod is nothing. */
const NOISE = 0.5;

/** A node whose consolidateAfter has passed and that nothing else holds back. */
export function isIdle(node: SimNode, nowMs: number): boolean {
  if (node.readyMs === undefined || node.deleting || node.marked || node.nominatedUntilMs > nowMs) return false;
  claimObject(node, nowMs);
  return nowMs >= node.consolidatableMs;
}

/**
 * Tells cheaply that removing nodes cannot work out, so that most passes need no simulation. It only errs in letting
 * too much through: what surely finds no room on other nodes must fit on one new node, and that must be cheaper than
 * what goes.
 */
export class ConsolidationScreen {
  private readonly world: World;
  private readonly destinations: SimNode[] = [];
  private readonly usable = new Map<SimNode, Float64Array>();
  /** By requests, which alike workloads share. */
  private readonly hosts = new Map<Float64Array, Hosts>();
  private readonly sizes: readonly Float64Array[];
  /** By their places in the list of sizes. */
  private readonly usableBySizes = new Map<string, Float64Array>();
  /** Best candidates first; empty nodes are not among them. */
  readonly candidates: readonly ScreenedNode[];

  constructor(world: World) {
    this.world = world;
    this.sizes = sizesOf(world);
    const { nowMs } = world;
    const candidates: ScreenedNode[] = [];
    for (const node of world.nodes.values()) {
      if (isDestination(node, nowMs)) this.destinations.push(node);
      if (!isIdle(node, nowMs) || node.pool.consolidationPolicy === 'WhenEmpty') continue;
      const { moving, cost, starting } = loadOf(node);
      if (cost <= 1 || !this.mayBeEvicted(node, moving)) continue;
      candidates.push({ node, moving, starting, worth: node.price / cost });
    }
    this.candidates = candidates.sort((a, b) => b.worth - a.worth || (a.node.name < b.node.name ? -1 : 1));
  }

  private mayBeEvicted(node: SimNode, moving: ReadonlyMap<AppState, number>): boolean {
    for (const state of moving.keys()) {
      if (evictionsAllowed(state) === 0) return false;
      if (state.app.doNotDisrupt === undefined) continue;
      for (const pod of node.pods) if (!isDisruptable(pod.object, this.world.nowMs)) return false;
    }
    return true;
  }

  /** Removing this node might work out. */
  mayGo({ node, moving, starting }: ScreenedNode): boolean {
    // Pods that are starting may go where others may not.
    return starting || this.mayLeave(moving, new Set([node]), node.price);
  }

  /** Removing some of these together might: the first two, the first three, and so on. */
  mayGoTogether(group: readonly ScreenedNode[]): boolean {
    const moving = new Map<AppState, number>();
    const going = new Set<SimNode>();
    let price = 0;
    for (const each of group) {
      price += each.node.price;
      going.add(each.node);
      for (const [state, count] of each.moving) moving.set(state, (moving.get(state) ?? 0) + count);
      if (going.size > 1 && (each.starting || this.mayLeave(moving, going, price))) return true;
    }
    return group.length > 1 && group[0].starting;
  }

  private mayLeave(moving: ReadonlyMap<AppState, number>, going: ReadonlySet<SimNode>, price: number): boolean {
    const left = this.leftOver(moving, going);
    return left === undefined || this.holdsForLess(left, price);
  }

  /**
   * At least so much has to go to a new node; undefined: perhaps nothing. Two bounds, each by resource: pods beyond
   * what there is room for if each workload had all room for itself, and requests beyond all that is free together.
   */
  private leftOver(moving: ReadonlyMap<AppState, number>, going: ReadonlySet<SimNode>): Float64Array | undefined {
    if (moving.size === 0) return undefined;
    const together = this.usableBy(moving.keys()).slice();
    for (let d = 0; d < together.length; d++) together[d] = -together[d];
    const apart = new Float64Array(together.length);
    const counted = new Set<SimNode>();
    for (const [state, count] of moving) {
      const { requests } = state;
      const { byNode, pods } = this.hostsOf(requests);
      let room = pods;
      for (const node of going) {
        const own = byNode.get(node);
        if (own === undefined) continue;
        room -= own;
        if (counted.has(node)) continue;
        counted.add(node);
        add(together, this.usableOn(node), 1);
      }
      for (let d = 0; d < requests.length; d++) {
        together[d] += count * requests[d];
        apart[d] += Math.max(0, count - room) * requests[d];
      }
    }
    let some = false;
    for (let d = 0; d < apart.length; d++) {
      apart[d] = Math.max(apart[d], together[d]);
      some ||= apart[d] > NOISE;
    }
    return some ? apart : undefined;
  }

  /** What of the room on a node pods could use at most: no more of them than fit of the smallest, none larger than the largest. */
  private usableOn(node: SimNode): Float64Array {
    let known = this.usable.get(node);
    if (known === undefined) {
      known = usableOf(node.free, this.sizes);
      this.usable.set(node, known);
    }
    return known;
  }

  /** Nodes that could take in a pod of this size, and how many. */
  private hostsOf(requests: Float64Array): Hosts {
    let known = this.hosts.get(requests);
    if (known === undefined) {
      const byNode = new Map<SimNode, number>();
      let pods = 0;
      for (const node of this.destinations) {
        const room = most(requests, node.free);
        if (room === 0) continue;
        byNode.set(node, room);
        pods += room;
      }
      known = { byNode, pods };
      this.hosts.set(requests, known);
    }
    return known;
  }

  /** What all nodes together have for pods of these workloads. Many nodes hold pods of the same few sizes. */
  private usableBy(states: Iterable<AppState>): Float64Array {
    const sizes = new Set<Float64Array>();
    for (const { requests } of states) sizes.add(requests);
    const key = [...sizes]
      .map((size) => this.sizes.indexOf(size))
      .sort((a, b) => a - b)
      .join();
    let known = this.usableBySizes.get(key);
    if (known === undefined) {
      known = new Float64Array(this.world.columns.count);
      const nodes = new Set<SimNode>();
      for (const size of sizes) for (const node of this.hostsOf(size).byNode.keys()) nodes.add(node);
      for (const node of nodes) add(known, this.usableOn(node), 1);
      this.usableBySizes.set(key, known);
    }
    return known;
  }

  private holdsForLess(amounts: Float64Array, price: number): boolean {
    const { offerings, columns } = this.world;
    return offerings.cheapest(columns).some((type) => type.price < price && fits(amounts, type.allocatable));
  }
}

/** Of pods that may have to move, each once. */
function sizesOf({ apps }: World): readonly Float64Array[] {
  return [...new Set(apps.filter(({ app }) => app.kind !== 'DaemonSet').map(({ requests }) => requests))];
}

/** May take in pods that are moved: ready, staying, and not within its own consolidateAfter. */
function isDestination(node: SimNode, nowMs: number): boolean {
  if (node.readyMs === undefined || node.deleting || node.marked) return false;
  const after = node.pool.consolidateAfterMs ?? 0;
  return after === 0 || nowMs - (node.lastPodEventMs ?? node.readyMs) >= after;
}

/** Pods of this size that the room would hold, if nobody else came. */
function most(requests: Float64Array, free: Float64Array): number {
  let count = Number.POSITIVE_INFINITY;
  for (let i = 0; i < requests.length; i++)
    if (requests[i] > 0) count = Math.min(count, Math.floor(free[i] / requests[i]));
  return Math.max(0, count);
}

function usableOf(free: Float64Array, sizes: Iterable<Float64Array>): Float64Array {
  const least = new Float64Array(free.length).fill(Number.POSITIVE_INFINITY);
  const largest = new Float64Array(free.length);
  for (const requests of sizes) {
    if (!fits(requests, free)) continue;
    for (let d = 0; d < free.length; d++) {
      least[d] = Math.min(least[d], requests[d]);
      largest[d] = Math.max(largest[d], requests[d]);
    }
  }
  let pods = Number.POSITIVE_INFINITY;
  for (let d = 0; d < free.length; d++) if (least[d] > 0) pods = Math.min(pods, Math.floor(free[d] / least[d]));
  return free.map((amount, d) => Math.min(amount, pods * largest[d]));
}
