import { allowedDisruptions } from '../engine/disruption/budgets.ts';
import { isIdle } from './consolidate-after.ts';
import { ConsolidationScreen, type ScreenedNode } from './consolidation-screen.ts';
import { loadOf } from './node-load.ts';
import type { ScreenedPods } from './removal-rehearsal.ts';
import type { SimNode } from './sim-node.ts';
import type { StockDecision } from './stock-decision.ts';
import type { World } from './world.ts';

/** The binary search over sets of up to 100 nodes. */
const MULTI_SIMULATIONS = 7;

/** Candidates for each method that are worth a simulation, and whether budgets have left some out. */
export interface LeftOpen {
  readonly multi: ReadonlySet<SimNode>;
  /** In the order in which they are examined one by one; asked for as far as needed. */
  readonly single: Iterator<SimNode>;
  readonly multiSimulations: number;
  /** All that Karpenter would examine one by one, in order. */
  readonly examined: readonly string[];
  readonly multiCut: boolean;
  readonly singleCut: boolean;
}

/** Nothing is asked: what was found before still stands. */
export function nothingOpen(): LeftOpen {
  return {
    multi: new Set(),
    single: [].values(),
    multiSimulations: 0,
    examined: [],
    multiCut: false,
    singleCut: false,
  };
}

/** More are never tried at once. */
const MAX_NODES = 101;

/** Candidates of which the screen does not know already that nothing will come. */
export function leftOpen(
  world: World,
  pods: ScreenedPods,
  fresh: { readonly multi: boolean; readonly single: boolean },
): LeftOpen {
  const screen = new ConsolidationScreen(world, pods);
  const { candidates } = screen;
  const budgets = remainingBudgets(world, 'Underutilized');
  const single = roundRobin(candidates.filter(({ node }) => (budgets.get(node.pool.name) ?? 0) > 0));
  const multi = candidates.filter(({ node }) => {
    const left = budgets.get(node.pool.name) ?? 0;
    budgets.set(node.pool.name, left - 1);
    return left > 0;
  });
  const together = fresh.multi ? screen.worthTogether(multi.slice(0, MAX_NODES)) : 0;
  return {
    multi: new Set(multi.slice(0, together).map((c) => c.node)),
    single: worthwhile(fresh.single ? single : [], screen),
    multiSimulations: fresh.multi && multi.length > 1 ? MULTI_SIMULATIONS : 0,
    examined: fresh.single ? single.map((c) => c.node.name) : [],
    multiCut: multi.length < candidates.length,
    singleCut: single.length < candidates.length,
  };
}

function* worthwhile(candidates: readonly ScreenedNode[], screen: ConsolidationScreen): Generator<SimNode> {
  for (const candidate of candidates) if (screen.mayGo(candidate)) yield candidate.node;
}

/** First of each pool, second of each, and so on (karpenter-semantics §4). */
function roundRobin(candidates: readonly ScreenedNode[]): readonly ScreenedNode[] {
  const pools = Map.groupBy(candidates, ({ node }) => node.pool.name);
  const lists = [...pools].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, list]) => list);
  const out: ScreenedNode[] = [];
  for (let i = 0; out.length < candidates.length; i++) for (const list of lists) if (i < list.length) out.push(list[i]);
  return out;
}

/** The next few of them. */
export function take<T>(from: Iterator<T>, count: number): T[] {
  const out: T[] = [];
  while (out.length < count) {
    const { value, done } = from.next();
    if (done) break;
    out.push(value);
  }
  return out;
}

/** Nodes of each pool that may go now (karpenter-semantics §8). */
export function remainingBudgets(world: World, reason: 'Empty' | 'Underutilized'): Map<string, number> {
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

/** Emptiness is looked at in every pass. */
export function emptyNodes({ nodes, nowMs }: World): SimNode[] {
  return [...nodes.values()].filter((node) => isIdle(node, nowMs) && loadOf(node).cost <= 1);
}

/** How many simulations it takes Karpenter to come to this. */
export function simulationsUntil(found: StockDecision | undefined, { multiSimulations, examined }: LeftOpen): number {
  if (found?.method === 'emptiness') return 0;
  if (found?.method === 'multi') return multiSimulations;
  return multiSimulations + (found === undefined ? examined.length : examined.indexOf(found.nodes[0]) + 1);
}
