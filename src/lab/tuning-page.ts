import { markup } from '../report/markup.ts';
import { framed, STYLE_SHEET } from '../report/page-frame.ts';
import { costText, countOf, extentText } from './figures.ts';
import { pointLabels } from './point-labels.ts';
import { policyConfiguration } from './policy-configuration.ts';
import { scatterChart } from './scatter-chart.ts';
import type { Tuning } from './tuning.ts';
import { byCost } from './tuning-document.ts';
import { goalText, perPodDay, recommendationText, shownPercent } from './tuning-text.ts';

const COLUMNS = ['', 'Setting', 'Cost', 'Keeps', 'Evictions', 'Per pod and day'];

/** A tuning as one HTML file: the curve, all settings that were tried, and the recommended configuration. */
export function renderTuningPage(tuning: Tuning): string {
  const { workload, wish, days, seeds, best, current, blocks } = tuning;
  const outcomes = byCost(tuning.outcomes);
  const rows = outcomes.map(({ row }) => row);
  const labels = pointLabels(rows);
  const { pieces } = policyConfiguration({ ...best.row.policy, name: 'tuned' }, blocks);
  return framed({
    title: `Decant tune: ${workload}`,
    styles: [STYLE_SHEET, CHART_SHEET],
    body: markup`<header><h1>${workload}: ${goalText(wish)}</h1>
<p class="lead">${recommendationText(tuning)}</p>
<p class="quiet">${extentText(days, seeds)}. Keeps: of the most that any of these saves against none. Green is the Pareto front.</p></header>
<main><section><h2>Cost against evictions</h2>
<figure>${scatterChart(rows, `Cost against evictions, ${workload}`)}</figure>
<div class="scroll"><table class="runs"><thead><tr>${COLUMNS.map((text, i) => (i < 2 ? markup`<th scope="col">${text}</th>` : markup`<th scope="col" class="number">${text}</th>`))}</tr></thead><tbody>
${outcomes.map((each, i) => {
  const mark = each === best ? ' (recommended)' : each === current ? ' (now)' : '';
  const cells = [
    costText(each.row.cost),
    each.kept === undefined ? '–' : shownPercent(each.kept),
    countOf(each.row.evictions.mean),
    perPodDay(each.evictionsPerPodDay),
  ];
  return markup`<tr${each.row.onFront ? markup` class="front"` : markup``}><td>${labels[i]}</td><td>${each.row.policy.name}${mark}</td>${cells.map((cell) => markup`<td class="number">${cell}</td>`)}</tr>
`;
})}</tbody></table></div></section>
<section><h2>What to paste</h2>
${pieces.map(({ where, text }) => markup`<p>${where}:</p><pre>${text}</pre>`)}</section></main>`,
  });
}

/** Any change needs a new hash: a test checks it. */
const CHART_STYLE = `
.chart { display: block; width: 100%; max-width: 760px; height: auto; }
.chart text { fill: var(--ink); font-size: 12px; }
.chart .tick { fill: var(--quiet); }
.chart .end { text-anchor: end; }
.chart .middle { text-anchor: middle; }
.axis { stroke: var(--line); stroke-width: 1; }
.point { fill: var(--blocked); }
.point.front { fill: var(--good); }
.stairs { fill: none; stroke: var(--good); stroke-width: 1.5; stroke-dasharray: 4 3; }
tr.front td:first-child { color: var(--good); font-weight: 600; }
.runs td { white-space: nowrap; }
.scroll { margin-bottom: 16px; }
pre { margin: 8px 0; padding: 12px; overflow-x: auto; background: var(--shade); border-radius: 6px; font-family: ui-monospace, monospace; font-size: 13px; }
`;

const CHART_SHEET = { text: CHART_STYLE, hash: 'sha256-ViIQHf63ebEdulZR0f/9nheVB/WAc1gAQ5u38FDgEJo=' };
