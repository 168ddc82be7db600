import { isDisruptable } from '../engine/cluster/pods.ts';
import { evictionsAllowed } from './budget-status.ts';
import { isDestination, isIdle } from './consolidate-after.ts';
import { loadOf } from './node-load.ts';
import type { Bulk, NodeRoom, PodSizes } from './pod-sizes.ts';
import { RemovalRehearsal, type ScreenedPods } from './removal-rehearsal.ts';
import { add } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
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
    const held = heldNodes(world);
    const candidates: ScreenedNode[] = [];
    for (const node of world.nodes.values()) {
      const room = sizes.roomOn(node);
      if (!room.none && isDestination(node, nowMs)) {
        this.destinations.set(node, room);
        add(this.room, room.pods, 1);
      }
      if (!isIdle(node, nowMs) || node.pool.consolidationPolicy === 'WhenEmpty' || held.has(node)) continue;
      const load = loadOf(node);
      const { cost, starting } = load;
      if (cost <= 1) continue;
      candidates.push({ node, bulk: sizes.bulkOf(load), starting, worth: node.price / cost });
    }
    this.candidates = candidates.sort((a, b) => b.worth - a.worth || (a.node.name < b.node.name ? -1 : 1));
  }

  /** Removing this node might work out. */
  mayGo({ node, bulk, starting }: ScreenedNode): boolean {
    // Pods that are starting may go where others may not.
    return starting || this.mayLeave(bulk, [node], node.price);
  }

  /**
   * So many of the first of these are worth a simulation together; 0: none. Karpenter looks for the largest set that
   * goes, by halves: as long as nothing comes of a half, what is left is the same search among fewer, so that these
   * first steps need no simulation.
   */
  worthTogether(group: readonly ScreenedNode[]): number {
    for (let last = group.length - 1; last >= 1; ) {
      const middle = (1 + last) >>> 1;
      if (this.mayGoTogether(group.slice(0, middle + 1))) return last + 1;
      last = middle - 1;
    }
    return 0;
  }

  /** Removing all of these at once might work out. */
  private mayGoTogether(group: readonly ScreenedNode[]): boolean {
    if (group.some(({ starting }) => starting)) return true;
    const bulk = group.reduce((sum, each) => this.sizes.together(sum, each.bulk), this.sizes.nothing);
    const price = group.reduce((sum, { node }) => sum + node.price, 0);
    return this.mayLeave(
      bulk,
      group.map(({ node }) => node),
      price,
    );
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

/** Nodes with a pod that may not be evicted now: by its budget, or by annotation. */
function heldNodes({ apps, nowMs }: World): ReadonlySet<SimNode> {
  const held = new Set<SimNode>();
  for (const state of apps) {
    const isBlocked = evictionsAllowed(state) === 0;
    if (!isBlocked && state.app.doNotDisrupt === undefined) continue;
    for (const { node } of state.pods) {
      if (node === undefined || held.has(node) || !loadOf(node).moving.has(state)) continue;
      if (isBlocked || [...node.pods].some(({ object }) => !isDisruptable(object, nowMs))) held.add(node);
    }
  }
  return held;
}

/** A pod of at least one of these sizes. */
function takesSome({ pods }: NodeRoom, { sizes }: Bulk): boolean {
  for (const size of sizes) if (pods[size] > 0) return true;
  return false;
}
