import { costText, countOf, extentText } from '../../lab/figures.ts';
import { pointLabels } from '../../lab/point-labels.ts';
import { policyConfiguration } from '../../lab/policy-configuration.ts';
import { scatterPlot } from '../../lab/scatter-plot.ts';
import type { Tuning } from '../../lab/tuning.ts';
import { byCost } from '../../lab/tuning-document.ts';
import { goalText, perPodDay, recommendationText, shownPercent } from '../../lab/tuning-text.ts';
import { table, wrap } from '../output/table.ts';
import type { Layout } from '../plan/render.ts';

const WIDTH = 80;
const COLUMNS = ['', 'SETTING', '>COST', '>KEEPS', '>EVICTED', 'PER POD AND DAY'];

/** The curve as table and plot, what is recommended, and what to paste. */
export function renderTuning(tuning: Tuning, { paint }: Pick<Layout, 'paint'>): string {
  const { days, seeds, wish, best, current, blocks } = tuning;
  const outcomes = byCost(tuning.outcomes);
  const rows = outcomes.map(({ row }) => row);
  const labels = pointLabels(rows);
  const [head, ...body] = table(
    COLUMNS,
    outcomes.map((each, i) => [
      labels[i],
      each === current ? `${each.row.policy.name} (now)` : each.row.policy.name,
      costText(each.row.cost),
      each.kept === undefined ? '–' : shownPercent(each.kept),
      countOf(each.row.evictions.mean),
      perPodDay(each.evictionsPerPodDay) + (each === best ? '  ◄' : ''),
    ]),
    Number.POSITIVE_INFINITY,
  );
  const { pieces } = policyConfiguration({ ...best.row.policy, name: 'tuned' }, blocks);
  return `${[
    paint('dim', `${tuning.workload}: ${extentText(days, seeds)}; goal: ${goalText(wish)}`),
    '',
    paint('dim', head),
    ...body.map((line, i) => (outcomes[i] === best ? paint('green', line) : line)),
    '',
    ...scatterPlot(rows, WIDTH),
    '',
    ...wrap(recommendationText(tuning), WIDTH, 6),
    ...(tuning.stopped ? ['Stopped early: settings near it were not tried.'] : []),
    ...pieces.flatMap(({ where, text }) => ['', paint('dim', `# ${where}`), text.trimEnd()]),
    '',
    paint('dim', 'KEEPS: share of the highest savings of all settings. Capitals are the Pareto front.'),
  ].join('\n')}\n`;
}
