import { isDisruptable } from '../engine/cluster/pods.ts';
import { evictionsAllowed } from './budget-status.ts';
import { isConsolidatable, mayTakePods } from './consolidate-after.ts';
import { loadOf } from './node-load.ts';
import type { NodeFreeCapacity, PodCounts, PodSizes } from './pod-sizes.ts';
import { addTimes } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
import type { World } from './world.ts';

/** A node that stock Karpenter would consider, with what the bounds need to know of it. */
export interface BoundedCandidate {
  readonly node: SimNode;
  readonly reschedulable: PodCounts;
  /** Some of its pods have not started yet. */
  readonly starting: boolean;
  /** Price per unit of disruption cost: Karpenter's order. */
  readonly savingsRatio: number;
}

/** Tolerance for rounding errors in sums: less than a millicore, a byte or a pod. */
const EPSILON = 0.5;

/**
 * Rules out removals without a simulation, by sums over pod sizes: pods that cannot fit on the other nodes must fit on
 * one new node that is cheaper than the removed ones. A removal that is not ruled out may still be impossible. Two
 * days of stock on 183 nodes take 6 s of processor time instead of 11 s (`npm run bench:simulator`).
 */
export class RemovalBounds {
  private readonly world: World;
  private readonly sizes: PodSizes;
  private readonly destinations = new Map<SimNode, NodeFreeCapacity>();
  /** By size: pods that fit on all destinations together, each size counted alone. */
  private readonly free: Float64Array;
  private readonly usableByKey = new Map<string, Float64Array>();
  private readonly remainder: Float64Array;
  private readonly remainderBySize: Float64Array;
  /** In Karpenter's order; empty nodes are not among them. */
  readonly candidates: readonly BoundedCandidate[];

  constructor(world: World, sizes: PodSizes) {
    this.world = world;
    this.sizes = sizes;
    this.free = new Float64Array(sizes.list.length);
    this.remainder = new Float64Array(world.columns.count);
    this.remainderBySize = new Float64Array(world.columns.count);
    const { nowMs } = world;
    const blocked = blockedNodes(world);
    const candidates: BoundedCandidate[] = [];
    for (const node of world.nodes.values()) {
      const free = sizes.freeCapacityOn(node);
      if (!free.none && mayTakePods(node, nowMs)) {
        this.destinations.set(node, free);
        addTimes(this.free, free.pods, 1);
      }
      if (!isConsolidatable(node, nowMs) || node.pool.consolidationPolicy === 'WhenEmpty' || blocked.has(node))
        continue;
      const load = loadOf(node);
      const { disruptionCost, starting } = load;
      if (disruptionCost <= 1) continue;
      const savingsRatio = node.price / disruptionCost;
      candidates.push({ node, reschedulable: sizes.countsOf(load), starting, savingsRatio });
    }
    this.candidates = candidates.sort(
      (a, b) => b.savingsRatio - a.savingsRatio || (a.node.name < b.node.name ? -1 : 1),
    );
  }

  /** False: removing this node is impossible. Pods that are starting may go where others may not. */
  mayRemove({ node, reschedulable, starting }: BoundedCandidate): boolean {
    return starting || this.mayRemoveNodes(reschedulable, [node], node.price);
  }

  /**
   * The length of the prefix on which Karpenter's binary search for the largest removable set can start; 0: none. While
   * the first half is impossible, the rest of the search is the same search among fewer nodes.
   */
  largestPossibleGroup(group: readonly BoundedCandidate[]): number {
    for (let last = group.length - 1; last >= 1; ) {
      const middle = (1 + last) >>> 1;
      if (this.mayRemoveTogether(group.slice(0, middle + 1))) return last + 1;
      last = middle - 1;
    }
    return 0;
  }

  private mayRemoveTogether(group: readonly BoundedCandidate[]): boolean {
    if (group.some(({ starting }) => starting)) return true;
    const pods = group.reduce((sum, { reschedulable }) => this.sizes.sum(sum, reschedulable), this.sizes.none);
    const price = group.reduce((sum, { node }) => sum + node.price, 0);
    return this.mayRemoveNodes(
      pods,
      group.map(({ node }) => node),
      price,
    );
  }

  private mayRemoveNodes(pods: PodCounts, removed: readonly SimNode[], price: number): boolean {
    const { offerings, columns } = this.world;
    return !this.needsNewNode(pods, removed) || offerings.sellsForLess(this.remainder, price, columns);
  }

  /**
   * Whether some pods have to go to a new node; then `remainder` is a lower bound of their requests, by resource the
   * larger of two: requests beyond all that is free, and pods beyond the room for their size.
   */
  private needsNewNode(pods: PodCounts, removed: readonly SimNode[]): boolean {
    const { remainder, remainderBySize } = this;
    const { sizes, counts, amounts } = pods;
    remainder.set(amounts);
    addTimes(remainder, this.usableBy(pods), -1);
    remainderBySize.fill(0);
    for (let i = 0; i < sizes.length; i++) {
      let beyond = counts[i] - this.free[sizes[i]];
      for (const node of removed) beyond += this.destinations.get(node)?.pods[sizes[i]] ?? 0;
      if (beyond > 0) addTimes(remainderBySize, this.sizes.list[sizes[i]], beyond);
    }
    for (const node of removed) {
      const free = this.destinations.get(node);
      if (free !== undefined && fitsAny(free, pods)) addTimes(remainder, free.usable, 1);
    }
    let some = false;
    for (let d = 0; d < remainder.length; d++) {
      remainder[d] = Math.max(remainder[d], remainderBySize[d]);
      some ||= remainder[d] > EPSILON;
    }
    return some;
  }

  /** What all destinations together offer to pods of these sizes. */
  private usableBy(pods: PodCounts): Float64Array {
    let known = this.usableByKey.get(pods.key);
    if (known === undefined) {
      known = new Float64Array(this.world.columns.count);
      for (const free of this.destinations.values()) if (fitsAny(free, pods)) addTimes(known, free.usable, 1);
      this.usableByKey.set(pods.key, known);
    }
    return known;
  }
}

/** Nodes with a pod that must not be evicted now, by its PodDisruptionBudget or by annotation. */
function blockedNodes({ apps, nowMs }: World): ReadonlySet<SimNode> {
  const blocked = new Set<SimNode>();
  for (const state of apps) {
    const isExhausted = evictionsAllowed(state) === 0;
    if (!isExhausted && state.app.doNotDisrupt === undefined) continue;
    for (const { node } of state.pods) {
      if (node === undefined || blocked.has(node) || !loadOf(node).reschedulable.has(state)) continue;
      if (isExhausted || [...node.pods].some(({ object }) => !isDisruptable(object, nowMs))) blocked.add(node);
    }
  }
  return blocked;
}

function fitsAny({ pods }: NodeFreeCapacity, { sizes }: PodCounts): boolean {
  for (const size of sizes) if (pods[size] > 0) return true;
  return false;
}
