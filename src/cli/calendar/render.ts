import type { CalendarPeriod, PoolCalendar } from '../../controller/calendar.ts';
import { count } from '../../report/money.ts';

const HALF_HOUR = 1_800_000;

/** A line a day, a character for each half hour. */
export function renderCalendar(pools: readonly PoolCalendar[], timeZone: string): string {
  if (pools.length === 0) return 'no NodePools\n';
  return `${[...pools.flatMap((pool) => [...section(pool, timeZone), '']), LEGEND(timeZone)].join('\n')}\n`;
}

const LEGEND = (timeZone: string) =>
  `█ open   ▓ limited by a budget   ░ empty nodes only   · closed   (half hours, ${timeZone})`;

const NOT_ACTED_ON: Readonly<Record<string, string>> = {
  interlock: 'observed only: Karpenter consolidates it itself (decant adopt hands it over)',
  conflict: 'ignored: several ConsolidationPolicies select it',
  'invalid-policy': 'ignored: its policy is not valid (decant validate says why)',
  deleting: 'ignored: it is being deleted',
};

function section({ pool, nodes, policyName, blockReason, periods }: PoolCalendar, timeZone: string): string[] {
  const policy = policyName === undefined ? '' : `, ConsolidationPolicy ${policyName}`;
  const why = blockReason === undefined ? [] : [`  ${NOT_ACTED_ON[blockReason.code] ?? blockReason.code}`];
  const title = `NodePool ${pool} (${count(nodes, 'node')}${policy})`;
  const marks = reasons(periods);
  // The same all week, which a picture would only repeat.
  if (marks.length === 1) return [title, ...why, `  all week: ${marks[0]}`];
  const days = daysOf(periods, timeZone).map(([day, marks]) => `  ${day}  ${marks}`);
  const hours = `  ${' '.repeat(10)}  ${Array.from({ length: 12 }, (_, i) => String(2 * i).padEnd(4)).join('')}`;
  return [title, ...why, hours.trimEnd(), ...days, ...marks.map((line) => `  ${line}`)];
}

function daysOf(periods: readonly CalendarPeriod[], timeZone: string): [day: string, marks: string][] {
  const name = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', day: '2-digit', month: 'short' });
  const minutes = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const days = new Map<string, string>();
  for (const period of periods) {
    for (let t = period.fromMs; t < period.toMs; t += HALF_HOUR) {
      const day = name.format(t).replace(',', '');
      const [hour, minute] = minutes.format(t).split(':').map(Number);
      const at = 2 * hour + (minute >= 30 ? 1 : 0);
      // On the day that clocks go forward, hours are missing.
      days.set(day, `${(days.get(day) ?? '').padEnd(at, ' ').slice(0, Math.max(at, 0))}${mark(period)}`);
    }
  }
  return [...days];
}

function mark({ isOff, empty, underutilized }: CalendarPeriod): string {
  if (isOff || (empty === 0 && underutilized === 0)) return '·';
  if (underutilized === 0) return '░';
  return Number.isFinite(underutilized) ? '▓' : '█';
}

/** What the marks stand for in this pool, each once. */
function reasons(periods: readonly CalendarPeriod[]): string[] {
  const said = new Set(
    periods.map((p) => {
      const window = p.window === undefined ? '' : ` (window ${p.window + 1} of its policy)`;
      if (p.isOff) return `· consolidation is off: consolidateAfter Never${window}`;
      if (mark(p) === '·') return `· a budget allows no node${window}`;
      if (mark(p) === '░') return `░ only empty nodes: ${nodes(p.empty)} at once${window}`;
      return `${mark(p)} ${nodes(p.underutilized)} at once${window}`;
    }),
  );
  return [...said];
}

function nodes(allowed: number): string {
  return Number.isFinite(allowed) ? count(allowed, 'node') : 'any number of nodes';
}
