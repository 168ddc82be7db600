import { allowedDisruptions } from '../engine/disruption/budgets.ts';
import { roundRobin } from '../engine/search/stock/single-node.ts';
import { isConsolidatable } from './consolidate-after.ts';
import { loadOf } from './node-load.ts';
import type { PodSizes } from './pod-sizes.ts';
import { RemovalBounds } from './removal-bounds.ts';
import type { SimNode } from './sim-node.ts';
import type { StockDecision } from './stock-decision.ts';
import type { World } from './world.ts';

/** Simulations of the binary search over up to 100 nodes. */
const MULTI_SIMULATIONS = 7;

/** Candidates of each method that need a simulation. */
export interface StockCandidates {
  readonly multi: ReadonlySet<SimNode>;
  /** In Karpenter's order. */
  readonly single: readonly SimNode[];
  readonly multiSimulations: number;
  /** All nodes that Karpenter would simulate one by one, in order. */
  readonly examined: readonly string[];
  /** Budgets excluded candidates. */
  readonly multiConstrained: boolean;
  readonly singleConstrained: boolean;
}

/** No method has to run. */
export function noCandidates(): StockCandidates {
  return {
    multi: new Set(),
    single: [],
    multiSimulations: 0,
    examined: [],
    multiConstrained: false,
    singleConstrained: false,
  };
}

/** Karpenter's limit for one multi-node command, plus one. */
const MAX_NODES = 101;

/** Candidates that the bounds do not rule out. */
export function stockCandidates(
  world: World,
  sizes: PodSizes,
  fresh: { readonly multi: boolean; readonly single: boolean },
): StockCandidates {
  const bounds = new RemovalBounds(world, sizes);
  const { candidates } = bounds;
  const budgets = remainingByPool(world, 'Underutilized');
  const withinBudget = candidates.filter(({ node }) => (budgets.get(node.pool.name) ?? 0) > 0);
  const single = roundRobin(withinBudget, ({ node }) => node.pool.name);
  const multi = candidates.filter(({ node }) => {
    const left = budgets.get(node.pool.name) ?? 0;
    budgets.set(node.pool.name, left - 1);
    return left > 0;
  });
  const together = fresh.multi ? bounds.largestPossibleGroup(multi.slice(0, MAX_NODES)) : 0;
  return {
    multi: new Set(multi.slice(0, together).map((c) => c.node)),
    single: fresh.single ? single.filter((c) => bounds.mayRemove(c)).map((c) => c.node) : [],
    multiSimulations: fresh.multi && multi.length > 1 ? MULTI_SIMULATIONS : 0,
    examined: fresh.single ? single.map((c) => c.node.name) : [],
    multiConstrained: multi.length < candidates.length,
    singleConstrained: single.length < candidates.length,
  };
}

/** Remaining disruptions by pool (karpenter-semantics §8). */
export function remainingByPool(world: World, reason: 'Empty' | 'Underutilized'): Map<string, number> {
  const { nodes, scenario, nowMs } = world;
  const total = new Map<string, number>();
  const going = new Map<string, number>();
  for (const { pool, readyMs, deleting, marked } of nodes.values()) {
    if (readyMs === undefined) continue;
    total.set(pool.name, (total.get(pool.name) ?? 0) + 1);
    if (deleting || marked) going.set(pool.name, (going.get(pool.name) ?? 0) + 1);
  }
  return new Map(
    scenario.nodePools.map((pool) => {
      const allowed = allowedDisruptions(pool, total.get(pool.name) ?? 0, reason, nowMs);
      return [pool.name, Math.max(0, allowed - (going.get(pool.name) ?? 0))];
    }),
  );
}

/** Empty nodes, which every pass checks. */
export function emptyNodes({ nodes, nowMs }: World): SimNode[] {
  return [...nodes.values()].filter((node) => isConsolidatable(node, nowMs) && loadOf(node).disruptionCost <= 1);
}

/** Simulations that Karpenter needs for this decision. */
export function simulationsUntil(
  found: StockDecision | undefined,
  { multiSimulations, examined }: StockCandidates,
): number {
  if (found?.method === 'emptiness') return 0;
  if (found?.method === 'multi') return multiSimulations;
  return multiSimulations + (found === undefined ? examined.length : examined.indexOf(found.nodes[0]) + 1);
}
