import { type Markup, markup, NOTHING } from '../report/markup.ts';
import { count } from '../report/money.ts';
import { framed } from '../report/page-frame.ts';
import { STYLE_SHEET } from '../report/page-style.ts';
import { NONE } from './built-in-policies.ts';
import type { ComparedRow, ComparedWorkload, Comparison, TotalRow } from './comparison.ts';
import { COMPARISON_SHEET } from './comparison-style.ts';
import { countOf, dollars, duration, extentInWords, lifetime, totalCells } from './figures.ts';
import type { NamedPolicy } from './named-policy.ts';
import { pointLabels } from './point-labels.ts';
import { policyConfiguration } from './policy-configuration.ts';
import type { Timeline } from './run-summary.ts';
import { scatterChart } from './scatter-chart.ts';
import { timelineChart } from './timeline-chart.ts';

/** Colours that can be told apart. */
const MOST_LINES = 8;

/** A comparison as one HTML file: cost against evictions, every figure, the runs over time, and what to paste. */
export function renderComparisonPage(comparison: Comparison): string {
  const { workloads, total } = comparison;
  const policies = policiesOf(comparison);
  const title = `${count(policies.length, 'policy').replace('policys', 'policies')}, ${count(workloads.length, 'workload')}`;
  return framed({
    title: `Decant comparison: ${title}`,
    styles: [STYLE_SHEET, COMPARISON_SHEET],
    body: markup`<header><h1>${title}</h1>
<p class="lead">What each policy costs, in money and in evictions, on the same cluster with the same luck.</p>
<p class="quiet">${extentInWords(comparison.days, Math.max(...workloads.flatMap(({ rows }) => rows.map((row) => row.seeds))))}. Green is the Pareto front: no other policy is at least as cheap and as calm.</p></header>
<main>
${total === undefined ? NOTHING : totalSection(total)}
${workloads.map(workloadSection)}
${configurationSection(policies, comparison.blocks)}
</main>`,
  });
}

function policiesOf({ workloads }: Comparison): readonly NamedPolicy[] {
  const named = new Map(workloads.flatMap(({ rows }) => rows.map(({ policy }) => [policy.name, policy] as const)));
  return [...named.values()];
}

function totalSection(rows: readonly TotalRow[]): Markup {
  const labels = pointLabels(rows);
  return markup`<section><h2>All workloads together</h2>
<div class="sides"><figure>${scatterChart(rows, 'Cost against evictions, all workloads')}</figure>
${figureTable(TOTAL_COLUMNS, rows, (row, i) => [labels[i], ...totalCells(row)])}</div></section>`;
}

function workloadSection({ name, rows }: ComparedWorkload): Markup {
  const labels = pointLabels(rows);
  const [first] = rows;
  const shown = linesOf(rows).map(({ row, color }) => ({ name: row.policy.name, color, timeline: row.timeline }));
  const { stepHours } = first.timeline;
  const over = (title: string, figure: keyof Omit<Timeline, 'stepHours'>, inWords: (value: number) => string) => {
    const values = shown.map(({ timeline, ...line }) => ({ ...line, values: timeline[figure] }));
    return markup`<figure><figcaption>${title}, seed 1</figcaption>${timelineChart(values, stepHours, `${title}, ${name}`, inWords)}</figure>`;
  };
  return markup`<section><h2>${name}</h2>
${figureTable(COLUMNS, rows, (row, i) => [labels[i], ...cells(row)])}
<ul class="legend">${shown.map(({ name, color }) => markup`<li class="s${color}"><i class="dot"></i>${name}</li>`)}</ul>
<div class="sides">
<figure><figcaption>Cost against evictions</figcaption>${scatterChart(rows, `Cost against evictions, ${name}`)}</figure>
${over('Dollars per hour', 'dollarsPerHour', dollars)}
${over('Nodes', 'nodes', countOf)}
${over('Evictions so far', 'evictions', countOf)}
</div></section>
`;
}

/** As many as there are colours: where nobody consolidates, then the front, then the others. */
function linesOf(rows: readonly ComparedRow[]): readonly { readonly row: ComparedRow; readonly color: number }[] {
  const rank = (row: ComparedRow) => (row.policy.name === NONE.name ? 0 : row.onFront ? 1 : 2);
  const chosen = [...rows].sort((a, b) => rank(a) - rank(b)).slice(0, MOST_LINES);
  return rows.filter((row) => chosen.includes(row)).map((row, color) => ({ row, color }));
}

const TOTAL_COLUMNS = ['', 'Policy', 'Cost', 'Saved', 'Evictions', 'Again', 'Unavailable'];
const COLUMNS = [...TOTAL_COLUMNS, 'Node life p50', 'Node life p95', 'Pending p95', 'Commands'];

function cells(row: ComparedRow): string[] {
  return [
    ...totalCells(row),
    lifetime(row.nodeLifetimeP50Minutes.mean),
    lifetime(row.nodeLifetimeP95Minutes.mean),
    duration(row.pendingP95Seconds.mean),
    countOf(row.commands.mean),
  ];
}

/** Figures stand to the right, the two first columns are words. */
function figureTable<T extends TotalRow>(
  columns: readonly string[],
  rows: readonly T[],
  cellsOf: (row: T, i: number) => readonly string[],
): Markup {
  const cell = (text: string, i: number) =>
    i < 2 ? markup`<td>${text}</td>` : markup`<td class="number">${text}</td>`;
  const head = (text: string, i: number) => {
    return i < 2 ? markup`<th scope="col">${text}</th>` : markup`<th scope="col" class="number">${text}</th>`;
  };
  return markup`<div class="scroll"><table class="runs"><thead><tr>${columns.map(head)}</tr></thead><tbody>
${rows.map((row, i) => markup`<tr${row.onFront ? markup` class="front"` : NOTHING}>${cellsOf(row, i).map(cell)}</tr>\n`)}</tbody></table></div>`;
}

function configurationSection(policies: readonly NamedPolicy[], blocks: readonly unknown[]): Markup {
  return markup`<section><h2>What to paste</h2>
${policies.map((policy) => {
  const { summary, pieces } = policyConfiguration(policy, blocks);
  return markup`<details><summary><b>${policy.name}</b> <span class="consequence">${summary}${pieces.length === 0 ? ' Nothing to set.' : ''}</span></summary>
${pieces.map(({ where, text }) => markup`<p>${where}:</p><pre>${text}</pre>`)}</details>
`;
})}</section>`;
}
