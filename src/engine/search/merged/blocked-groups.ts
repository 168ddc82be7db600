import type { Candidate } from '../../disruption/candidates.ts';
import { mayGoAtOnce } from '../approval.ts';
import type { Trials } from '../trials.ts';
import type { LaunchOption, LaunchOptions } from './launch-options.ts';
import type { NodeDemand, NodeDemands } from './node-demand.ts';

/** Nodes of one kind that are considered, those that cost most beyond what is required first. */
const WINDOW = 48;
/** Groups that are tried: this many of one pool, and as many of any pools. */
const MOST = 24;

interface Group {
  readonly nodes: readonly Candidate[];
  /** What they lack to pay for the new node and for what is required, in cents per hour. */
  readonly shortfall: number;
}

/**
 * Tries groups that the savings threshold alone seems to keep from one new node, so that they are reported: composing a plan
 * leaves them out by arithmetic. For each node, the group with it that comes closest to its requirement.
 */
export function noteBlockedGroups(
  trials: Trials,
  staying: readonly Candidate[],
  demands: NodeDemands,
  launchOptions: LaunchOptions,
): void {
  const demandOf = (c: Candidate) => demands.get(c) as NodeDemand;
  const asksForSavings = (c: Candidate) => demandOf(c).cents < c.price * 100;
  const together = staying.filter((c) => c.methods.multi);
  const tried = new Set<string>();
  // Nodes of other pools may ask for less, but their pods may not fit this pool's new nodes: after groups of one pool.
  for (const kind of ['group', 'constraints'] as const) {
    const found = new Map<string, Group>();
    for (const own of Map.groupBy(together, (c) => demandOf(c)[kind]).values()) {
      if (!own.some(asksForSavings)) continue;
      const inOrder = own.toSorted((a, b) => demandOf(b).cents - demandOf(a).cents);
      const window = inOrder.slice(0, WINDOW);
      for (const seed of inOrder.filter(asksForSavings).slice(0, WINDOW)) {
        const groups = launchOptions
          .of(seed.pool)
          .flatMap((option) => around(trials, seed, window, option, demandOf) ?? []);
        if (groups.length === 0) continue;
        const closest = groups.reduce((a, b) => (b.shortfall < a.shortfall ? b : a));
        const key = closest.nodes
          .map((c) => c.name)
          .sort()
          .join(' ');
        if (!tried.has(key) && closest.shortfall < trials.blocked.shortfallOf(seed)) found.set(key, closest);
      }
    }
    const inTurn = [...found].sort(([, a], [, b]) => a.shortfall - b.shortfall);
    for (const [key, { nodes }] of inTurn.slice(0, MOST)) {
      tried.add(key);
      trials.attempt(nodes, 1);
    }
  }
}

/** The nodes of the window that bring this one closest to paying for the option. */
function around(
  { problem }: Trials,
  seed: Candidate,
  window: readonly Candidate[],
  option: LaunchOption,
  demandOf: (c: Candidate) => NodeDemand,
): Group | undefined {
  const { movableOfRow } = problem.simulation.cluster;
  let { cpu, memory, pods } = option;
  let nodes: readonly Candidate[] = [];
  let price = 0;
  let shortfall = option.cents;
  for (const c of [seed, ...window.filter((other) => other !== seed)]) {
    const demand = demandOf(c);
    const own = movableOfRow[c.row].length;
    if (price > option.cents && nodes.length > 1 && demand.cents <= 0) break;
    const larger = [...nodes, c];
    if (demand.cpu > cpu || demand.memory > memory || own > pods || !mayGoAtOnce(problem, larger)) continue;
    nodes = larger;
    price += c.price * 100;
    shortfall -= demand.cents;
    cpu -= demand.cpu;
    memory -= demand.memory;
    pods -= own;
  }
  return nodes.length < 2 || price <= option.cents || nodes[0] !== seed ? undefined : { nodes, shortfall };
}
