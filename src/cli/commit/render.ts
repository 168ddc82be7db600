import type { CommitmentAdvice, CommitmentPoint } from '../../lab/commitment-advice.ts';
import { grouped, perHour } from '../../report/money.ts';
import { table } from '../output/table.ts';
import type { CommitmentDocument } from './commit.ts';

const WIDTH = 120;
const WEEK_HOURS = 7 * 24;

const COLUMNS = ['>COMMITTED', '>COST', '>SAVED', '>COVERAGE', '>USED', ''];

export function renderAdvice(document: CommitmentDocument): string {
  const { hours, discount, afterConsolidation, groups } = document;
  const nodes = afterConsolidation === undefined ? 'as recorded' : `as ${afterConsolidation} would have left them`;
  const head = `${(hours / 24).toFixed(1)} days, on-demand nodes ${nodes}, a discount of ${percent(discount)}`;
  const rule = `A commitment pays off if more than ${percent(1 - discount)} of it is used.`;
  if (groups.length === 0) return `${head}\nno on-demand node of a NodePool: nothing to commit to\n`;
  const short = hours < WEEK_HOURS ? ['Less than a week: record longer before you commit for years.'] : [];
  return [head, rule, ...short, ...groups.flatMap((advice) => ['', ...groupLines(advice, document)]), ''].join('\n');
}

function groupLines(advice: CommitmentAdvice, { hours }: CommitmentDocument): string[] {
  const { group, best, points, costDollars, leastDollarsPerHour, mostDollarsPerHour, breakEvenDollarsPerHour } = advice;
  const spent = `${perHour(100 * leastDollarsPerHour)} to ${perHour(100 * mostDollarsPerHour)}, ${money(costDollars)} at list prices`;
  if (!(best.savingsDollars > 0)) return [`${group}: ${spent}: no commitment would have paid off`];
  const monthly = (best.savingsDollars / hours) * 730;
  const rows = points.map((point) => [...row(point), point.dollarsPerHour === best.dollarsPerHour ? '← best' : '']);
  return [
    `${group}: ${spent}`,
    `commit ${perHour(100 * best.dollarsPerHour)}: saves ${money(monthly)} a month; above ${perHour(100 * breakEvenDollarsPerHour)} it costs more than no commitment`,
    ...table(COLUMNS, rows, WIDTH),
  ];
}

function row({ dollarsPerHour, costDollars, savingsDollars, coverage, utilization }: CommitmentPoint): string[] {
  const used = dollarsPerHour === 0 ? '-' : percent(utilization);
  return [perHour(100 * dollarsPerHour), money(costDollars), money(savingsDollars), percent(coverage), used];
}

function money(dollars: number): string {
  return `${dollars < 0 ? '-' : ''}$${grouped(Math.abs(dollars).toFixed(2))}`;
}

function percent(share: number): string {
  return `${Number((100 * share).toFixed(1))} %`;
}
