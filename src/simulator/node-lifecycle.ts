import type { NodeClaimObject, NodePoolObject } from '../engine/cluster/objects.ts';
import { type LaunchRequest, type PricedOffering, pricedOfferings } from './launch.ts';
import { draw } from './random-streams.ts';
import { newNode, nodeLabels, type SimNode } from './sim-node.ts';
import type { World } from './world.ts';

/** How long an offering stays unavailable after an insufficient-capacity error. */
const UNAVAILABLE_MS = 3 * 60_000;
/** How long the NodeClaim of a failed launch exists. */
const FAILED_CLAIM_MS = 2000;

/** Launches, registers, initializes and terminates nodes. */
export class NodeLifecycle {
  private readonly world: World;
  private launches = 0;

  constructor(world: World) {
    this.world = world;
  }

  nextName(pool: string): string {
    for (;;) {
      const name = `${pool}-${String(++this.launches).padStart(5, '0')}`;
      // An imported cluster may have used the name.
      if (this.world.nodeOfClaim(name) === undefined && !this.world.nodes.has(name)) return name;
    }
  }

  /** Launches the best offering; undefined if the launch fails. */
  launch(request: LaunchRequest): SimNode | undefined {
    const { world } = this;
    const pool = world.scenario.nodePools.find((p) => p.name === request.nodePool);
    if (pool === undefined) throw new Error(`NodePool ${request.nodePool} does not exist`);
    const [best, ...others] = pricedOfferings(world.offerings.types, request);
    const { insufficientCapacityRate } = world.scenario.settings;
    const refused =
      insufficientCapacityRate > 0 && world.random.stream('capacity').uniform() < insufficientCapacityRate;
    if (best === undefined || refused) {
      if (best !== undefined) this.markSoldOut(best);
      this.fail(request, pool);
      return undefined;
    }
    return this.start(request.name, pool, this.cheapestInRandomZone([best, ...others]));
  }

  /** Any zone, if several have the same price. */
  private cheapestInRandomZone(sorted: readonly PricedOffering[]): PricedOffering {
    const [best] = sorted;
    const equal = sorted.filter(
      (p) => p.type === best.type && p.capacityType === best.capacityType && p.price === best.price,
    );
    return equal[Math.floor(this.world.random.stream('zone').uniform() * equal.length)];
  }

  private markSoldOut({ type, zone, capacityType }: PricedOffering): void {
    const { offerings, queue } = this.world;
    offerings.setAvailable(type.name, zone, capacityType, false);
    queue.after(UNAVAILABLE_MS, () => {
      offerings.setAvailable(type.name, zone, capacityType, true);
      this.world.pricesChanged();
    });
  }

  private fail(request: LaunchRequest, pool: NodePoolObject): void {
    const { world } = this;
    world.launchFailed(failedClaim(request, pool, world.nowMs));
    world.queue.after(FAILED_CLAIM_MS, () => {
      world.failedClaims.delete(request.name);
      world.version++;
    });
  }

  private start(name: string, pool: NodePoolObject, { type, zone, capacityType, price }: PricedOffering): SimNode {
    const { world } = this;
    const node = newNode({
      name,
      pool,
      type,
      zone,
      capacityType,
      labels: nodeLabels(name, pool, type, zone, capacityType),
      taints: pool.taints,
      createdMs: world.nowMs,
      price,
      allocatable: world.columns.amounts(type.allocatable),
    });
    world.launched(node);
    this.registerLater(node);
    return node;
  }

  registerLater(node: SimNode): void {
    const { queue, random, scenario } = this.world;
    queue.after(draw(scenario.settings.launchDelay, random.stream('launch-delay')), () => {
      if (node.gone) return;
      node.registered = true;
      this.world.nodeChanged(node);
      this.initializeLater(node);
    });
  }

  initializeLater(node: SimNode): void {
    const { queue, random, scenario } = this.world;
    queue.after(draw(scenario.settings.initDelay, random.stream('init-delay')), () => {
      if (!node.gone) this.world.nodeReady(node);
    });
  }

  /** Terminates the instance of a drained node, which ends its cost. */
  terminate(node: SimNode): void {
    const { queue, random, scenario } = this.world;
    queue.after(draw(scenario.settings.terminationDelay, random.stream('termination-delay')), () => {
      if (!node.gone) this.world.nodeGone(node);
    });
  }
}

function failedClaim(request: LaunchRequest, pool: NodePoolObject, nowMs: number): NodeClaimObject {
  return {
    name: request.name,
    uid: `uid-${request.name}`,
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
