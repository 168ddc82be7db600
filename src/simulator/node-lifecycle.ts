import type { NodeClaimObject, NodePoolObject } from '../engine/cluster/objects.ts';
import { type LaunchOrder, type Purchase, purchases } from './launch.ts';
import { draw } from './random-streams.ts';
import { nodeLabels, type SimNode } from './sim-node.ts';
import type { World } from './world.ts';

/** An offering that was refused is left alone for so long. */
const UNAVAILABLE_MS = 3 * 60_000;
/** How long a NodeClaim that could not be launched is still seen. */
const FAILED_CLAIM_MS = 2000;

/** NodeClaims into nodes, and drained nodes into nothing. */
export class NodeLifecycle {
  private readonly world: World;
  private launches = 0;

  constructor(world: World) {
    this.world = world;
  }

  /** A name for the next NodeClaim of the pool. */
  nextName(pool: string): string {
    for (;;) {
      const name = `${pool}-${String(++this.launches).padStart(5, '0')}`;
      // A cluster that was there before may have names like ours.
      if (this.world.nodeOfClaim(name) === undefined && !this.world.nodes.has(name)) return name;
    }
  }

  /** Buys the best offering there is. A launch that is refused leaves a NodeClaim that soon disappears. */
  launch(order: LaunchOrder): SimNode | undefined {
    const { world } = this;
    const pool = world.scenario.nodePools.find((p) => p.name === order.nodePool);
    if (pool === undefined) throw new Error(`no NodePool ${order.nodePool}`);
    const [best, ...others] = purchases(world.offerings.types, order);
    const { insufficientCapacityRate } = world.scenario.settings;
    const refused =
      insufficientCapacityRate > 0 && world.chance.stream('capacity').uniform() < insufficientCapacityRate;
    if (best === undefined || refused) {
      if (best !== undefined) this.runOut(best);
      this.fail(order, pool);
      return undefined;
    }
    return this.start(order.name, pool, this.oneOfTheBest([best, ...others]));
  }

  /** Equal offerings in several zones: any of them. */
  private oneOfTheBest(sorted: readonly Purchase[]): Purchase {
    const [best] = sorted;
    const equal = sorted.filter(
      (p) => p.type === best.type && p.capacityType === best.capacityType && p.price === best.price,
    );
    return equal[Math.floor(this.world.chance.stream('zone').uniform() * equal.length)];
  }

  private runOut({ type, zone, capacityType }: Purchase): void {
    const { offerings, queue } = this.world;
    offerings.setAvailable(type.name, zone, capacityType, false);
    queue.after(UNAVAILABLE_MS, () => {
      offerings.setAvailable(type.name, zone, capacityType, true);
      this.world.pricesChanged();
    });
  }

  private fail(order: LaunchOrder, pool: NodePoolObject): void {
    const { world } = this;
    world.launchFailed(failedClaim(order, pool, world.nowMs));
    world.queue.after(FAILED_CLAIM_MS, () => {
      world.failedClaims.delete(order.name);
      world.version++;
    });
  }

  private start(name: string, pool: NodePoolObject, { type, zone, capacityType, price }: Purchase): SimNode {
    const { world } = this;
    const allocatable = world.columns.amounts(type.allocatable);
    const node: SimNode = {
      name,
      pool,
      type,
      zone,
      capacityType,
      labels: nodeLabels(name, pool, type, zone, capacityType),
      taints: pool.taints,
      createdMs: world.nowMs,
      price,
      registered: false,
      readyMs: undefined,
      lastPodEventMs: undefined,
      tainted: false,
      deleting: false,
      removal: undefined,
      marked: false,
      nominatedUntilMs: 0,
      gone: false,
      drifted: false,
      pods: new Set(),
      allocatable,
      free: allocatable.slice(),
      admits: new Map(),
      load: undefined,
      room: undefined,
      shownClaim: undefined,
      shownNode: undefined,
      consolidatableMs: Number.POSITIVE_INFINITY,
    };
    world.launched(node);
    this.registerLater(node);
    return node;
  }

  registerLater(node: SimNode): void {
    const { queue, chance, scenario } = this.world;
    queue.after(draw(scenario.settings.launchDelay, chance.stream('launch-delay')), () => {
      if (node.gone) return;
      node.registered = true;
      this.world.nodeChanged(node);
      this.initializeLater(node);
    });
  }

  initializeLater(node: SimNode): void {
    const { queue, chance, scenario } = this.world;
    queue.after(draw(scenario.settings.initDelay, chance.stream('init-delay')), () => {
      if (!node.gone) this.world.nodeReady(node);
    });
  }

  /** The node is drained: its machine stops, and with it the bill. */
  terminate(node: SimNode): void {
    const { queue, chance, scenario } = this.world;
    queue.after(draw(scenario.settings.terminationDelay, chance.stream('termination-delay')), () => {
      if (!node.gone) this.world.nodeGone(node);
    });
  }
}

function failedClaim(order: LaunchOrder, pool: NodePoolObject, nowMs: number): NodeClaimObject {
  return {
    name: order.name,
    uid: `uid-${order.name}`,
    labels: { ...pool.templateLabels },
    createdMs: nowMs,
    terminating: true,
    taints: pool.taints,
    startupTaints: pool.startupTaints,
    expireAfterMs: pool.expireAfterMs,
    providerId: '',
    nodeName: '',
    capacity: {},
    allocatable: {},
    conditions: [{ type: 'Launched', status: 'False', changedMs: nowMs }],
  };
}
