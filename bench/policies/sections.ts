import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import { change, count, type Figures, found, markdown, percent, type Run, signed, sum } from './figures.ts';
import { evictionsOf, MOST_COST, MOST_EVICTIONS, missed, workloadsOf } from './goals.ts';
import type { PartName } from './parts.ts';

/** The figures of a part as Markdown. */
export function section(name: PartName, { runs }: ComparisonDocument): string {
  switch (name) {
    case 'library':
      return library(runs);
    case 'hindsight':
      return hindsight(runs);
    case 'triple':
      return triple(runs);
    case 'adaptive':
      return adaptive(runs);
  }
}

/** The page with the figures between `<!-- name -->` and `<!-- /name -->` in the place of those that were there. */
export function withSection(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no ${begin} … ${end}`);
  return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}

const OTHERS = ['balanced', 'rfc', 'calm'];

/** Every workload, and where calm misses its goals. */
function library(runs: readonly Run[]): string {
  const workloads = workloadsOf(runs);
  const rows = workloads.map((workload) => {
    const [none, stock, ...others] = ['none', 'stock', ...OTHERS].map((policy) => found(runs, workload, policy));
    const { cost, evictions } = missed(runs, workload, 'calm');
    const misses = [cost ? 'cost' : '', evictions ? 'evictions' : ''].filter((word) => word !== '');
    return [...figures(workload, { none, stock }, others), misses.join(', ')];
  });
  const total = (policy: string) => sum(workloads.map((workload) => found(runs, workload, policy)));
  const [none, stock, ...others] = ['none', 'stock', ...OTHERS].map(total);
  const within = (goal: 'cost' | 'evictions') => workloads.filter((w) => !missed(runs, w, 'calm')[goal]).length;
  return [
    ...markdown(
      ['workload', 'stock', 'evictions', 'none', ...OTHERS, 'calm misses'],
      [...rows, [...figures('**all**', { none, stock }, others), '']],
    ),
    '',
    `Of ${workloads.length} workloads, \`calm\` costs at most ${(100 * (MOST_COST - 1)).toFixed(0)} % more than stock on ${within('cost')}, and has at most ${100 * MOST_EVICTIONS} % of its evictions on ${within('evictions')}.`,
  ].join('\n');
}

function figures(
  name: string,
  { none, stock }: Readonly<Record<'none' | 'stock', Figures>>,
  others: readonly Figures[],
): readonly string[] {
  const of = evictionsOf(stock, none);
  return [
    name,
    `$${dollars(stock.costDollars)}`,
    count(of),
    change(none, stock),
    ...others.map(
      (run) => `${change(run, stock)}, ${count(evictionsOf(run, none))} (${percent(evictionsOf(run, none), of)})`,
    ),
  ];
}

function dollars(amount: number): string {
  return amount < 1000 ? amount.toFixed(2) : count(amount);
}

/** The same in two lines a policy: what a user may expect. */
export function expectations(runs: readonly Run[]): string {
  const workloads = workloadsOf(runs);
  const groups = [false, true].map((traces) => workloads.filter((name) => name.startsWith('azure-') === traces));
  const [written, traces] = groups.map((names) => (policy: string) => sum(names.map((w) => found(runs, w, policy))));
  const rows = ['none', 'stock', ...OTHERS].map((policy) => [
    `\`${policy}\``,
    ...shares(written, policy),
    ...shares(traces, policy),
    policy === 'stock' ? count(lostOf(traces, policy)) : percent(lostOf(traces, policy), lostOf(traces, 'stock')),
  ]);
  const [a, b] = groups.map(({ length }) => length);
  const columns = [
    `${a} written workloads: cost`,
    'evictions',
    `${b} Azure traces: cost`,
    'evictions',
    'lost pod-hours',
  ];
  return markdown(['', ...columns], rows).join('\n');
}

type Total = (policy: string) => Figures;

function shares(total: Total, policy: string): readonly string[] {
  const [none, stock, own] = ['none', 'stock', policy].map(total);
  const of = evictionsOf(stock, none);
  if (policy === 'stock') return [`$${count(stock.costDollars)}`, count(of)];
  return [change(own, stock), percent(evictionsOf(own, none), of)];
}

function lostOf(total: Total, policy: string): number {
  return total(policy).lostPodHours - total('none').lostPodHours;
}

/** Where calm misses a goal: what a policy needs that knows the future. */
function hindsight(runs: readonly Run[]): string {
  const rows = workloadsOf(runs).map((workload) => {
    const [none, stock, calm, best] = ['none', 'stock', 'calm', 'hindsight-1.02'].map((p) => found(runs, workload, p));
    const needed = evictionsOf(best, none);
    const isNeeded = evictionsOf(calm, none) <= Math.max(needed, MOST_EVICTIONS * evictionsOf(stock, none));
    return [
      workload,
      count(evictionsOf(stock, none)),
      `${change(calm, stock)}, ${count(evictionsOf(calm, none))}`,
      `${change(best, stock)}, ${count(needed)}`,
      isNeeded ? 'yes' : 'no',
    ];
  });
  const columns = [
    'workload',
    'stock: evictions',
    'calm',
    'hindsight-1.02',
    'calm has no more than half, or than hindsight',
  ];
  return markdown(columns, rows).join('\n');
}

/** What Karpenter's maintainers counted on KWOK (PR2893). */
const COUNTED: Readonly<Record<string, number>> = { WhenEmpty: 14, Balanced: 102, WhenEmptyOrUnderutilized: 222 };

function triple(runs: readonly Run[]): string {
  const none = runs.find(({ policy }) => policy === 'none');
  return markdown(
    ['policy of Karpenter', 'evictions on KWOK', 'evictions here', 'cost here', 'saved against none'],
    runs
      .filter(({ policy }) => policy in COUNTED)
      .map((run) => [
        run.policy,
        String(COUNTED[run.policy]),
        count(run.evictions),
        `$${run.costDollars.toFixed(2)}`,
        `${(100 * (1 - run.costDollars / (none?.costDollars ?? run.costDollars))).toFixed(1)} %`,
      ]),
  ).join('\n');
}

/** What an eviction is held to be worth, in dollars. */
const EVICTION_DOLLARS = 0.01;
/** How far the adaptive threshold may be from the best fixed one. */
const NEAR = 0.1;

function adaptive(runs: readonly Run[]): string {
  const objective = ({ costDollars, evictions }: Run) => costDollars + EVICTION_DOLLARS * evictions;
  const rows = [...Map.groupBy(runs, ({ workload }) => workload)].map(([workload, own]) => {
    const fixed = own.filter(({ policy }) => policy.startsWith('threshold='));
    const best = fixed.reduce((a, b) => (objective(b) < objective(a) ? b : a));
    const worst = fixed.reduce((a, b) => (objective(b) > objective(a) ? b : a));
    const run = found(own, workload, 'adaptive');
    const difference = objective(run) / objective(best) - 1;
    return [
      workload,
      `${best.policy.slice('threshold='.length)}: $${objective(best).toFixed(2)} (${count(best.evictions)})`,
      `${worst.policy.slice('threshold='.length)}: $${objective(worst).toFixed(2)}`,
      `$${objective(run).toFixed(2)} (${count(run.evictions)})`,
      `${signed(100 * difference)} %${difference > NEAR ? ' (too far)' : ''}`,
    ];
  });
  return markdown(['workload', 'best fixed threshold', 'worst', 'adaptive', 'from the best'], rows).join('\n');
}
