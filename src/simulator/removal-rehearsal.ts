import { labelOf } from '../engine/cluster/objects.ts';
import { isDestination } from './consolidate-after.ts';
import { loadOf } from './node-load.ts';
import type { PodSizes } from './pod-sizes.ts';
import { merged, type QueuedPod, type QueuedPods } from './queued-pods.ts';
import { add, fits } from './resource-columns.ts';
import type { SimNode } from './sim-node.ts';
import type { SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

/** What is known beforehand of the pods of a world, and who of them waits for a node. */
export interface ScreenedPods {
  readonly sizes: PodSizes;
  readonly queued: QueuedPods;
  readonly pending: Iterable<SimPod>;
}

/** More guesses than this at where pods go that heed more than room are not worth it: then nothing is known. */
const MOST_GUESSES = 24;

/** After all domains. */
const NOWHERE = '\uffff';

/** A node that may take pods in, in the order in which Karpenter tries them: those that are ready, then those to come. */
interface Row {
  readonly node: SimNode;
  readonly free: Float64Array;
  readonly ready: boolean;
  /** Pods that run well where they are may move here too: it is not within its own consolidateAfter. */
  readonly open: boolean;
}

/**
 * Karpenter's simulation of a removal in small, to know beforehand that nothing will come of it. Pods of whom only the
 * size matters go to the first node with room, in a fixed order. Of the others it is not known where they go, so that
 * every possibility is gone through: wherever they have room, or nowhere. A removal fails if it does each time:
 * because a pod of its nodes would come to rely on a node that is not ready yet, which Karpenter does not accept,
 * or because what finds no room is too much for one new node that is cheaper.
 */
export class RemovalRehearsal {
  private readonly rows: readonly Row[];
  /** Those that have to be placed whoever is removed: pods that wait, and pods of nodes that are about to go. */
  private readonly always: readonly QueuedPod[];
  private readonly world: World;
  private readonly pods: QueuedPods;
  private readonly foreseeable: boolean;
  /** Those that stay. */
  private staying: readonly Row[] = [];
  private queue: readonly QueuedPod[] = [];
  /** By place in the queue: a pod of a node that is removed. */
  private moves: readonly boolean[] = [];
  private price = 0;
  private guesses = 0;
  /** Less than nothing: what a new node would have to take in. */
  private readonly beyond: Float64Array;
  /** What was taken, and from where, to be given back. */
  private readonly taken: Float64Array[] = [];
  private readonly takenFrom: Float64Array[] = [];

  constructor(world: World, { sizes, queued, pending }: ScreenedPods) {
    this.world = world;
    this.pods = queued;
    this.beyond = new Float64Array(world.columns.count);
    const rows: Row[] = [];
    const always = [...pending].filter(({ object }) => object.unschedulable);
    for (const node of world.nodes.values()) {
      if (node.deleting || node.marked) always.push(...loadOf(node).movers);
      else if (!sizes.roomOn(node).none) rows.push(rowOf(node, queued.reserve, world));
    }
    this.rows = rows.sort((a, b) => Number(b.ready) - Number(a.ready) || (a.node.name < b.node.name ? -1 : 1));
    this.always = queued.of(always);
    this.foreseeable = queued.foreseeable && rows.every(({ node, free }) => !node.tainted && free.every((x) => x >= 0));
  }

  /** Nothing will come of removing these nodes, which cost so much; false: it is not known. */
  fails(nodes: readonly SimNode[], price: number): boolean {
    if (!this.foreseeable) return false;
    this.staying = this.rows.filter(({ node }) => !nodes.includes(node));
    this.queue = nodes.reduce((queue, node) => merged(queue, this.pods.ofLoad(loadOf(node))), this.always);
    this.moves = this.queue.map(({ pod: { node } }) => node !== undefined && nodes.includes(node));
    this.price = price;
    this.guesses = 0;
    const fails = this.failsFrom(0, '');
    this.giveBack(0);
    return fails;
  }

  /** The pods before this one are where they would be, the last of them in the domain `least`. */
  private failsFrom(first: number, least: string): boolean {
    // Room only gets less: where one that moves, or one that does not, found none, the next of the same size need not look.
    let [fullToMovers, fullToOthers] = [0, 0];
    for (let k = first; k < this.queue.length; k++) {
      const { pod, requests, plain, sure } = this.queue[k];
      const moves = this.moves[k];
      if (!plain) {
        // Who of several that are alike goes where makes no difference: they are tried in the order of domains.
        const from = k > 0 && this.isLikeTheOneBefore(k) ? least : '';
        if (!this.failsWherever(k, from)) return false;
        if (moves && sure) this.take(this.beyond, requests);
        least = NOWHERE;
        continue;
      }
      if (k > first && this.queue[k - 1].requests !== requests) fullToMovers = fullToOthers = 0;
      const place = this.firstFor(requests, moves, moves ? fullToMovers : fullToOthers);
      if (moves) fullToMovers = place;
      else fullToOthers = place;
      if (place === this.staying.length) {
        if (pod.node !== undefined) this.take(this.beyond, requests);
        continue;
      }
      const { free, ready } = this.staying[place];
      if (moves && !ready) return true;
      this.take(free, requests);
    }
    return this.isTooMuch();
  }

  private isLikeTheOneBefore(k: number): boolean {
    const [a, b] = [this.queue[k - 1], this.queue[k]];
    return (
      !a.plain &&
      a.requests === b.requests &&
      a.domains === b.domains &&
      a.sure === b.sure &&
      this.moves[k - 1] === this.moves[k]
    );
  }

  /** In whichever domain this pod is put: there to the first node that has room, as all. */
  private failsWherever(k: number, least: string): boolean {
    const { requests, domains } = this.queue[k];
    const moves = this.moves[k];
    const seen: string[] = [];
    for (let place = 0; ; place++) {
      place = this.firstFor(requests, moves, place);
      if (place === this.staying.length) return true;
      const row = this.staying[place];
      const domain = labelOf(row.node.labels, domains) ?? '';
      if (domain < least || seen.includes(domain)) continue;
      seen.push(domain);
      // A pod that moves to a node that is not ready fails the removal anyway.
      if (moves && !row.ready) continue;
      if (++this.guesses > MOST_GUESSES) return false;
      const before = this.taken.length;
      this.take(row.free, requests);
      const fails = this.failsFrom(k + 1, domain);
      this.giveBack(before);
      if (!fails) return false;
    }
  }

  private take(from: Float64Array, amounts: Float64Array): void {
    add(from, amounts, -1);
    this.taken.push(amounts);
    this.takenFrom.push(from);
  }

  private giveBack(length: number): void {
    for (let i = length; i < this.taken.length; i++) add(this.takenFrom[i], this.taken[i], 1);
    this.taken.length = length;
    this.takenFrom.length = length;
  }

  /** The place of the first node from there on that has room; as many as there are if none has. */
  private firstFor(requests: Float64Array, moves: boolean, from: number): number {
    const { staying } = this;
    let place = from;
    while (place < staying.length && !((staying[place].open || !moves) && fits(requests, staying[place].free))) place++;
    return place;
  }

  private isTooMuch(): boolean {
    if (this.beyond.every((amount) => amount === 0)) return false;
    const amounts = this.beyond.map((amount, d) => this.pods.reserve[d] - amount);
    return !this.world.offerings.sellsForLess(amounts, this.price, this.world.columns);
  }
}

/** Room that DaemonSets will still ask for is not free. */
function rowOf(node: SimNode, reserve: Float64Array, { nowMs }: World): Row {
  const missing = reserve.slice();
  for (const [{ app, requests }, pods] of loadOf(node).pods)
    if (app.kind === 'DaemonSet') add(missing, requests, -pods.length);
  const free = node.free.map((amount, d) => amount - Math.max(0, missing[d]));
  const ready = node.readyMs !== undefined;
  return { node, free, ready, open: !ready || isDestination(node, nowMs) };
}
