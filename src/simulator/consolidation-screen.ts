import { isDisruptable } from '../engine/cluster/pods.ts';
import { evictionsAllowed } from './budget-status.ts';
import { isDestination, isIdle } from './consolidate-after.ts';
import { loadOf } from './node-load.ts';
import type { Bulk, NodeRoom, PodSizes } from './pod-sizes.ts';
import { RemovalRehearsal, type ScreenedPods } from './removal-rehearsal.ts';
import { add } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
import type { AppState } from './sim-pod.ts';
import type { World } from './world.ts';

/** A node that stock Karpenter would look at, as far as can be told without a simulation. */
export interface ScreenedNode {
  readonly node: SimNode;
  /** Pods that would have to move. */
  readonly bulk: Bulk;
  readonly starting: boolean;
  /** Price per unit of disruption, by which Karpenter orders. */
  readonly worth: number;
}

/** Sums of many amounts may be off by a little; less than a millicore, a byte or a pod is nothing. */
const NOISE = 0.5;

/**
 * Tells cheaply that removing nodes cannot work out, so that most passes need no simulation. It only errs in letting
 * too much through: what surely finds no room on other nodes must fit on one new node, and that must be cheaper than
 * what goes. Who passes that goes through a rehearsal.
 */
export class ConsolidationScreen {
  private readonly world: World;
  private readonly pods: ScreenedPods;
  private readonly sizes: PodSizes;
  /** Who could take pods in. */
  private readonly destinations = new Map<SimNode, NodeRoom>();
  /** By size: pods that all destinations could take in. */
  private readonly room: Float64Array;
  /** By key of a bulk. */
  private readonly usableBySizes = new Map<string, Float64Array>();
  private readonly left: Float64Array;
  private readonly apart: Float64Array;
  private rehearsal: RemovalRehearsal | undefined;
  /** Best candidates first; empty nodes are not among them. */
  readonly candidates: readonly ScreenedNode[];

  constructor(world: World, pods: ScreenedPods) {
    const { sizes } = pods;
    this.world = world;
    this.pods = pods;
    this.sizes = sizes;
    this.room = new Float64Array(sizes.list.length);
    this.left = new Float64Array(world.columns.count);
    this.apart = new Float64Array(world.columns.count);
    const { nowMs } = world;
    const blocked = new Set(world.apps.filter((state) => evictionsAllowed(state) === 0));
    const candidates: ScreenedNode[] = [];
    for (const node of world.nodes.values()) {
      const room = sizes.roomOn(node);
      if (!room.none && isDestination(node, nowMs)) {
        this.destinations.set(node, room);
        add(this.room, room.pods, 1);
      }
      if (!isIdle(node, nowMs) || node.pool.consolidationPolicy === 'WhenEmpty') continue;
      const load = loadOf(node);
      const { moving, cost, starting } = load;
      if (cost <= 1 || !this.mayBeEvicted(node, moving, blocked)) continue;
      candidates.push({ node, bulk: sizes.bulkOf(load), starting, worth: node.price / cost });
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
  mayGo({ node, bulk, starting }: ScreenedNode): boolean {
    // Pods that are starting may go where others may not.
    return starting || this.mayLeave(bulk, [node], node.price);
  }

  /** Removing some of these together might: the first two, the first three, and so on. */
  mayGoTogether(group: readonly ScreenedNode[]): boolean {
    if (group.length > 1 && group.some(({ starting }) => starting)) return true;
    let bulk = this.sizes.nothing;
    const going: SimNode[] = [];
    let price = 0;
    for (const each of group) {
      price += each.node.price;
      going.push(each.node);
      bulk = this.sizes.together(bulk, each.bulk);
      if (going.length > 1 && this.mayLeave(bulk, going, price)) return true;
    }
    return false;
  }

  private mayLeave(bulk: Bulk, going: readonly SimNode[], price: number): boolean {
    const { offerings, columns } = this.world;
    if (this.leavesOver(bulk, going) && !offerings.sellsForLess(this.left, price, columns)) return false;
    this.rehearsal ??= new RemovalRehearsal(this.world, this.pods);
    return !this.rehearsal.fails(going, price);
  }

  /**
   * Whether something has to go to a new node: then `left` is what at least. Two bounds, each by resource: pods beyond
   * what there is room for if each size had all room for itself, and requests beyond all that is free together.
   */
  private leavesOver(bulk: Bulk, going: readonly SimNode[]): boolean {
    const { left, apart } = this;
    const { sizes, counts, amounts } = bulk;
    left.set(amounts);
    add(left, this.usableBy(bulk), -1);
    apart.fill(0);
    for (let i = 0; i < sizes.length; i++) {
      let beyond = counts[i] - this.room[sizes[i]];
      for (const node of going) beyond += this.destinations.get(node)?.pods[sizes[i]] ?? 0;
      if (beyond > 0) add(apart, this.sizes.list[sizes[i]], beyond);
    }
    for (const node of going) {
      const room = this.destinations.get(node);
      if (room !== undefined && takesSome(room, bulk)) add(left, room.usable, 1);
    }
    let some = false;
    for (let d = 0; d < left.length; d++) {
      left[d] = Math.max(left[d], apart[d]);
      some ||= left[d] > NOISE;
    }
    return some;
  }

  /** What all nodes together have for pods of these sizes. Many nodes hold pods of the same few sizes. */
  private usableBy(bulk: Bulk): Float64Array {
    let known = this.usableBySizes.get(bulk.key);
    if (known === undefined) {
      known = new Float64Array(this.world.columns.count);
      for (const room of this.destinations.values()) if (takesSome(room, bulk)) add(known, room.usable, 1);
      this.usableBySizes.set(bulk.key, known);
    }
    return known;
  }
}

/** A pod of at least one of these sizes. */
function takesSome({ pods }: NodeRoom, { sizes }: Bulk): boolean {
  for (const size of sizes) if (pods[size] > 0) return true;
  return false;
}
