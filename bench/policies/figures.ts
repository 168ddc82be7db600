import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';

export type Run = ComparisonDocument['runs'][number];

export type Figures = Pick<Run, 'costDollars' | 'evictions' | 'lostPodHours'>;

export function found(runs: readonly Run[], workload: string, policy: string): Run {
  const run = runs.find((each) => each.workload === workload && each.policy === policy);
  if (run === undefined) throw new Error(`the results have no ${policy} on ${workload}`);
  return run;
}

/** Over several workloads. */
export function sum(runs: readonly Figures[]): Figures {
  const total = (key: keyof Figures) => runs.reduce((all, run) => all + run[key], 0);
  return { costDollars: total('costDollars'), evictions: total('evictions'), lostPodHours: total('lostPodHours') };
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

/** A share in percent; of nothing, nothing. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

export function markdown(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(columns), `|${columns.map((_, i) => (i === 0 ? '---' : '--:')).join('|')}|`, ...rows.map(line)];
}
