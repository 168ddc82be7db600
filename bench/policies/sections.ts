import type { ComparisonDocument } from '../../src/lab/comparison-document.ts';
import { change, count, type Figures, found, isWithin, markdown, type Run, signed } from './figures.ts';
import type { Part } from './parts.ts';

/** The figures of a part as Markdown. */
export function section(name: Part['name'], { runs }: ComparisonDocument): string {
  switch (name) {
    case 'library':
      return library(runs);
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

/** Beyond this a policy is more expensive than stock. */
const TOLERATED_COST = 0.02;
/** A third of stock's evictions is asked for everywhere, a tenth on reported churn cases, which all others are. */
const USUAL = 'web';
const POLICIES = ['none', 'stock', 'WhenEmpty', 'rfc', 'calm'];

function library(runs: readonly Run[]): string {
  const of = (workload: string, policy: string) => found(runs, workload, policy);
  const all = Map.groupBy(runs, ({ workload }) => workload);
  // A run that was stopped has not all of them.
  const workloads = [...all.keys()].filter((workload) => all.get(workload)?.length === POLICIES.length);
  const missing = [...all.keys()].filter((workload) => !workloads.includes(workload));
  const rows = workloads.map((workload) => {
    const [none, stock, empty, rfc, calm] = POLICIES.map((policy) => of(workload, policy));
    const kept = goals({ none, stock, calm });
    return [
      workload,
      `$${stock.costDollars.toFixed(2)}`,
      count(stock.evictions),
      change(none, stock),
      change(empty, stock),
      `${change(rfc, stock)}, ${count(rfc.evictions)}`,
      `${change(calm, stock)}, ${count(calm.evictions)}`,
      [kept.cost ? 'cost' : '', kept.tenth ? 'a tenth' : kept.third ? 'a third' : '']
        .filter((word) => word !== '')
        .join(', ') || 'none',
    ];
  });
  const held = workloads.map((workload) => {
    const [none, stock, , , calm] = POLICIES.map((policy) => of(workload, policy));
    return { workload, usual: workload === USUAL, costChange: change(calm, stock), ...goals({ none, stock, calm }) };
  });
  const churn = held.filter(({ usual }) => !usual);
  const whole = held.filter(({ cost, third, tenth, usual }) => cost && (usual ? third : tenth));
  const spared = held.filter(({ third, strict }) => third && !strict).map(({ workload }) => `\`${workload}\``);
  const expensive = held
    .filter(({ cost }) => !cost)
    .map(({ workload, costChange }) => `\`${workload}\` (${costChange})`);
  const total = (policy: string) => sum(workloads.map((workload) => of(workload, policy)));
  const [stock, rfc, calm] = ['stock', 'rfc', 'calm'].map(total);
  return [
    ...markdown(
      ['workload', 'stock', 'evictions', 'none', 'WhenEmpty', 'rfc', 'calm', 'goals that calm reaches'],
      [
        ...rows,
        [
          '**all**',
          `$${stock.costDollars.toFixed(2)}`,
          count(stock.evictions),
          change(total('none'), stock),
          change(total('WhenEmpty'), stock),
          `${change(rfc, stock)}, ${count(rfc.evictions)}`,
          `${change(calm, stock)}, ${count(calm.evictions)}`,
          '',
        ],
      ],
    ),
    '',
    `Of ${workloads.length} workloads, calm reaches the goal for cost on ${number(held, (each) => each.cost)}, and has at most a third of stock's`,
    `evictions on ${number(held, (each) => each.third)}; of the ${churn.length} churn cases, at most a tenth on ${number(churn, (each) => each.tenth)}. All that is asked of it: ${whole.length} of ${workloads.length}.`,
    ...(expensive.length === 0
      ? []
      : [`More expensive than stock by more than ${100 * TOLERATED_COST} %: ${expensive.join(', ')}.`]),
    ...(spared.length === 0 ? [] : [`Reached only without the evictions of \`none\`: ${spared.join(', ')}.`]),
    ...(missing.length === 0 ? [] : [`Not run under calm this time: ${missing.join(', ')}.`]),
  ].join('\n');
}

function goals({ none, stock, calm }: Readonly<Record<'none' | 'stock' | 'calm', Figures>>) {
  const [third, tenth] = [3, 10].map((part) => isWithin(calm, { none, stock }, part));
  return {
    cost: calm.costDollars <= stock.costDollars * (1 + TOLERATED_COST),
    third,
    tenth,
    /** Whatever is reached is also reached with those counted. */
    strict: calm.evictions <= stock.evictions / (tenth ? 10 : 3),
  };
}

function number<T>(list: readonly T[], which: (each: T) => boolean): number {
  return list.filter(which).length;
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

/** What an eviction is held to be worth, in dollars: as much as calm holds it to be. */
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

function sum(runs: readonly Figures[]): Figures {
  return {
    costDollars: runs.reduce((total, { costDollars }) => total + costDollars, 0),
    evictions: runs.reduce((total, { evictions }) => total + evictions, 0),
  };
}
