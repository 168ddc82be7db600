import { change, count, type Figures, found, isWithin, markdown, type Run } from './figures.ts';

/** The shares of stock's evictions that are asked for: everywhere, and on churn cases. */
const SHARES = [3, 10];

/**
 * What the goals for evictions would cost, where calm misses one: of all policies that were run, the cheapest that
 * reaches it, against stock. `none` always does.
 */
export function fewerEvictions(library: readonly Run[], overCalm: readonly Run[]): string {
  const rows = [...new Set(library.map(({ workload }) => workload))].flatMap((workload) => {
    const [none, stock, calm] = ['none', 'stock', 'calm'].map((policy) => found(library, workload, policy));
    const baseline = { none, stock };
    if (SHARES.every((share) => isWithin(calm, baseline, share))) return [];
    const tried = [...library, ...overCalm].filter((run) => run.workload === workload);
    const cheapest = (share: number) =>
      tried.filter((run) => isWithin(run, baseline, share)).reduce((a, b) => (b.costDollars < a.costDollars ? b : a));
    return [[workload, shown(calm, stock), ...SHARES.map((share) => named(cheapest(share), stock))]];
  });
  return markdown(['workload', 'calm', 'a third would cost', 'a tenth would cost'], rows).join('\n');
}

function shown(run: Figures, stock: Figures): string {
  return `${change(run, stock)}, ${count(run.evictions)}`;
}

function named(run: Run, stock: Run): string {
  return `${shown(run, stock)} (${run.policy.replace('=', ' ')})`;
}
