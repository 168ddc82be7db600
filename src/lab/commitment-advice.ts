import type { Commitment } from '../engine/cluster/commitment.ts';
import { ON_DEMAND } from '../engine/cluster/well-known.ts';
import { clusterCost } from '../engine/cost/cluster-cost.ts';
import type { RecordedNode } from './history/replay.ts';

/** What each group of nodes cost at list prices, in dollars per hour, and for how many hours. */
export interface SpendStep {
  readonly hours: number;
  readonly dollarsByGroup: ReadonlyMap<string, number>;
}

export interface CommitmentAdvice {
  readonly group: string;
  /** At list prices, without a commitment. */
  readonly costDollars: number;
  readonly leastDollarsPerHour: number;
  readonly mostDollarsPerHour: number;
  readonly best: CommitmentPoint;
  /** Above this size, the commitment costs more than no commitment; 0 if none pays. */
  readonly breakEvenDollarsPerHour: number;
  /** A few sizes, by ascending size, from none. */
  readonly points: readonly CommitmentPoint[];
}

/** A commitment of one size, over the whole history. */
export interface CommitmentPoint {
  readonly dollarsPerHour: number;
  readonly costDollars: number;
  readonly savingsDollars: number;
  /** Share of the spend at list prices that it pays for. */
  readonly coverage: number;
  /** Share of the commitment that is used. */
  readonly utilization: number;
}

/** Sizes of the table, as shares of the best. */
const SHARES = [0.5, 0.75, 0.9, 1, 1.1, 1.25, 1.5];

export const GROUPINGS = ['all', 'family', 'type', 'pool'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** On-demand nodes by group: savings plans and reservations do not pay for spot. */
export function spendStep(hours: number, nodes: Iterable<RecordedNode>, by: Grouping): SpendStep {
  const dollarsByGroup = new Map<string, number>();
  for (const node of nodes) {
    if (node.capacityType !== ON_DEMAND) continue;
    const group = groupOf(node, by);
    dollarsByGroup.set(group, (dollarsByGroup.get(group) ?? 0) + node.price);
  }
  return { hours, dollarsByGroup };
}

function groupOf({ pool, type }: RecordedNode, by: Grouping): string {
  switch (by) {
    case 'all':
      return 'on-demand';
    case 'family':
      return type.split(/[.-]/)[0];
    case 'type':
      return type;
    case 'pool':
      return pool;
  }
}

/** The size that would have cost least, for each group; the most expensive group first. `discount`: from 0 to below 1. */
export function commitmentAdvice(steps: readonly SpendStep[], discount: number): readonly CommitmentAdvice[] {
  const groups = new Set(steps.flatMap(({ dollarsByGroup }) => [...dollarsByGroup.keys()]));
  return [...groups]
    .map((group) =>
      adviceFor(
        group,
        steps.map((s) => [s.dollarsByGroup.get(group) ?? 0, s.hours] as const),
        discount,
      ),
    )
    .sort((a, b) => b.costDollars - a.costDollars || (a.group < b.group ? -1 : 1));
}

type Spent = readonly (readonly [dollarsPerHour: number, hours: number])[];

function adviceFor(group: string, spent: Spent, discount: number): CommitmentAdvice {
  const rates = spent.map(([dollars]) => dollars);
  const point = (list: number) => pointOf(group, spent, list, discount);
  const best = bestSize(spent, discount);
  const none = point(0);
  return {
    group,
    costDollars: none.costDollars,
    leastDollarsPerHour: Math.min(...rates),
    mostDollarsPerHour: Math.max(...rates),
    best: point(best),
    breakEvenDollarsPerHour: breakEven(best, (list) => point(list).savingsDollars) * (1 - discount),
    points: [none, ...(best === 0 ? [] : SHARES.map((share) => point(share * best)))],
  };
}

/**
 * In list prices. One more dollar per hour costs 1 − discount, and saves a dollar in every hour in which more than that is
 * spent: it pays up to the spend that is exceeded for that share of the time.
 */
function bestSize(spent: Spent, discount: number): number {
  const hours = spent.reduce((sum, [, own]) => sum + own, 0);
  let above = hours;
  for (const [dollars, own] of [...spent].sort(([a], [b]) => a - b)) {
    above -= own;
    // Rounding may not decide between two sizes that cost the same.
    if (above <= hours * (1 - discount) * (1 + 1e-12)) return dollars;
  }
  return 0;
}

/** In list prices: where the savings, which fall above the best size, are used up. */
function breakEven(best: number, savings: (list: number) => number): number {
  if (!(savings(best) > 0)) return 0;
  let [low, high] = [best, 2 * best];
  while (savings(high) > 0) [low, high] = [high, 2 * high];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (savings(middle) > 0) low = middle;
    else high = middle;
  }
  return low;
}

function pointOf(name: string, spent: Spent, list: number, discount: number): CommitmentPoint {
  const dollarsPerHour = list * (1 - discount);
  const commitment: Commitment = { name, dollarsPerHour, coversDollarsPerHour: list };
  const coveredBy = [commitment];
  let [cost, whole, covered, hours] = [0, 0, 0, 0];
  for (const [dollars, own] of spent) {
    cost += clusterCost(coveredBy, new Map([[coveredBy, dollars]])) * own;
    whole += dollars * own;
    covered += Math.min(dollars, list) * own;
    hours += own;
  }
  return {
    dollarsPerHour,
    costDollars: cost,
    savingsDollars: whole - cost,
    coverage: whole === 0 ? 0 : covered / whole,
    utilization: list === 0 || hours === 0 ? 0 : covered / (list * hours),
  };
}
