import { SPOT } from '../engine/cluster/well-known.ts';
import { allowedDisruptions } from '../engine/disruption/budgets.ts';
import type { Drift } from './scenario.ts';
import type { SimNode } from './sim-node.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Spot interruption notice. */
const NOTICE_MS = 2 * 60_000;
/** Interval of the drift controller. */
const DRIFT_POLL_MS = 10_000;

/** Disruptions other than consolidation: expiration, interruption, drift, price changes, manual drains. */
export function scheduleNodeDisruptions(world: World): void {
  const { settings } = world.scenario;
  const disturb = (node: SimNode) => {
    expireLater(world, node);
    const { spotInterruptionsPerDay: rate } = settings;
    const perMs = rate === 'catalog' ? (node.type.spotInterruptionsPerHour ?? 0) / HOUR_MS : rate / DAY_MS;
    // Nothing here replaces a node that Karpenter does not manage, as its node group would.
    const isManaged = node.imported === undefined || node.imported.claim !== undefined;
    if (isManaged && node.capacityType === SPOT && perMs > 0) interruptLater(world, node, perMs);
  };
  world.listeners.push({
    nodeLaunched: (node) => disturb(node),
    nodeImported: (node) => disturb(node),
  });
  for (const drift of settings.drifts) world.queue.after(drift.afterMs, () => driftAll(world, drift));
  for (const { afterMs, instanceTypes, capacityType, factor } of settings.priceChanges) {
    world.queue.after(afterMs, () => {
      world.offerings.reprice(instanceTypes, capacityType, factor);
      world.pricesChanged();
    });
  }
  for (const { afterMs, nodes } of settings.drains) world.queue.after(afterMs, () => drainFullestNodes(world, nodes));
}

/** Karpenter deletes a node at expireAfter, whatever runs on it. */
function expireLater(world: World, node: SimNode): void {
  const expireAfterMs = node.imported === undefined ? node.pool.expireAfterMs : node.imported.claim?.expireAfterMs;
  if (expireAfterMs === undefined) return;
  world.queue.at(node.createdMs + expireAfterMs, () => {
    if (!node.gone) world.deleteNode(node, 'expiration');
  });
}

function interruptLater(world: World, node: SimNode, perMs: number): void {
  const delayMs = Math.round(world.random.stream('interruptions').exponential(perMs));
  world.queue.after(delayMs, () => {
    if (node.gone) return;
    world.deleteNode(node, 'interruption');
    world.queue.after(NOTICE_MS, () => {
      if (!node.gone) world.nodeGone(node);
    });
  });
}

/** Replaces the pool's nodes, oldest first, within its budgets. */
function driftAll(world: World, { nodePool }: Drift): void {
  const drifted = [...world.nodes.values()].filter((n) => n.pool.name === nodePool);
  for (const node of drifted) {
    node.drifted = true;
    world.nodeChanged(node);
  }
  const step = () => {
    const ofPool = [...world.nodes.values()].filter((n) => n.pool.name === nodePool && n.readyMs !== undefined);
    const left = drifted.filter((n) => !n.gone && !n.deleting);
    if (left.length === 0) return;
    const allowed = allowedDisruptions(left[0].pool, ofPool.length, 'Drifted', world.nowMs);
    const going = ofPool.filter((n) => n.deleting).length;
    for (const node of left.slice(0, Math.max(0, allowed - going))) world.deleteNode(node, 'drift');
    world.queue.after(DRIFT_POLL_MS, step);
  };
  step();
}

function drainFullestNodes(world: World, count: number): void {
  const nodes = [...world.nodes.values()].filter((n) => n.readyMs !== undefined && !n.deleting);
  // The sort is stable: among equally full nodes, the oldest come first.
  nodes.sort((a, b) => b.pods.size - a.pods.size);
  for (const node of nodes.slice(0, count)) world.deleteNode(node, 'by-hand');
}
