import { isDisruptable } from '../engine/cluster/pods.ts';
import { evictionsAllowed } from './budget-status.ts';
import { loadOf } from './node-load.ts';
import type { PodSizes } from './pod-sizes.ts';
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
  private readonly sizes: PodSizes;
  private readonly destinations = new Set<SimNode>();
  /** By size: pods that all destinations could take in. */
  private readonly room: Float64Array;
  /** By their places in the list of sizes. */
  private readonly usableBySizes = new Map<string, Float64Array>();
  /** Best candidates first; empty nodes are not among them. */
  readonly candidates: readonly ScreenedNode[];

  constructor(world: World, sizes: PodSizes) {
    this.world = world;
    this.sizes = sizes;
    this.room = new Float64Array(sizes.list.length);
    const { nowMs } = world;
    const blocked = new Set(world.apps.filter((state) => evictionsAllowed(state) === 0));
    const candidates: ScreenedNode[] = [];
    for (const node of world.nodes.values()) {
      if (isDestination(node, nowMs)) {
        this.destinations.add(node);
        add(this.room, sizes.roomOn(node).pods, 1);
      }
      if (!isIdle(node, nowMs) || node.pool.consolidationPolicy === 'WhenEmpty') continue;
      const { moving, cost, starting } = loadOf(node);
      if (cost <= 1 || !this.mayBeEvicted(node, moving, blocked)) continue;
      candidates.push({ node, moving, starting, worth: node.price / cost });
    }
    this.candidates = candidates.sort((a, b) => b.worth - a.worth || (a.node.name < b.node.name ? -1 : 1));
  }

  private mayBeEvicted(node: SimNode, moving: ReadonlyMap<AppState, number>, blocked: ReadonlySet<AppState>): boolean {
    for (const state of moving.keys()) {
      if (blocked.has(state)) return false;
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
      const size = this.sizes.indexOf(requests);
      let room = this.room[size];
      for (const node of going) {
        if (!this.destinations.has(node)) continue;
        const { pods, usable } = this.sizes.roomOn(node);
        if (pods[size] === 0) continue;
        room -= pods[size];
        if (counted.has(node)) continue;
        counted.add(node);
        add(together, usable, 1);
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

  /** What all nodes together have for pods of these workloads. Many nodes hold pods of the same few sizes. */
  private usableBy(states: Iterable<AppState>): Float64Array {
    const sizes = new Set<number>();
    for (const { requests } of states) sizes.add(this.sizes.indexOf(requests));
    const list = [...sizes].sort((a, b) => a - b);
    const key = list.join();
    let known = this.usableBySizes.get(key);
    if (known === undefined) {
      known = new Float64Array(this.world.columns.count);
      for (const node of this.destinations) {
        const { pods, usable } = this.sizes.roomOn(node);
        if (list.some((size) => pods[size] > 0)) add(known, usable, 1);
      }
      this.usableBySizes.set(key, known);
    }
    return known;
  }

  private holdsForLess(amounts: Float64Array, price: number): boolean {
    const { offerings, columns } = this.world;
    return offerings.cheapest(columns).some((type) => type.price < price && fits(amounts, type.allocatable));
  }
}

/** May take in pods that are moved: ready, staying, and not within its own consolidateAfter. */
function isDestination(node: SimNode, nowMs: number): boolean {
  if (node.readyMs === undefined || node.deleting || node.marked) return false;
  const after = node.pool.consolidateAfterMs ?? 0;
  return after === 0 || nowMs - (node.lastPodEventMs ?? node.readyMs) >= after;
}
