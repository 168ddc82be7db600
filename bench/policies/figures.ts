import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';

export type Run = ComparisonDocument['runs'][number];

export interface Figures {
  readonly costDollars: number;
  readonly evictions: number;
}

/** At most one in `share` of stock's evictions. Interruptions and drains evict whatever the policy, and are not counted. */
export function isWithin(
  run: Figures,
  { none, stock }: Readonly<Record<'none' | 'stock', Figures>>,
  share: number,
): boolean {
  return run.evictions - none.evictions <= (stock.evictions - none.evictions) / share;
}

export function found(runs: readonly Run[], workload: string, policy: string): Run {
  const run = runs.find((each) => each.workload === workload && each.policy === policy);
  if (run === undefined) throw new Error(`the results have no ${policy} on ${workload}`);
  return run;
}

export function change(run: Figures, stock: Figures): string {
  return `${signed(100 * (run.costDollars / stock.costDollars - 1))} %`;
}

export function signed(value: number): string {
  const text = value.toFixed(1);
  return text === '0.0' || text === '-0.0' ? '0.0' : value > 0 ? `+${text}` : text.replace('-', '−');
}

export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function markdown(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${columns.map((_, i) => (i === 0 ? '---' : '--:')).join('|')}|`, ...rows.map(line)];
}
