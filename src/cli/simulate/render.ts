import type { LedgerSummary } from '../../simulator/ledger.ts';
import { table } from '../output/table.ts';

export interface LedgerOfRun extends LedgerSummary {
  readonly workload: string;
  readonly policy: string;
  readonly seed: number;
  readonly days: number;
}

/** Most evicted workloads to list. */
const NAMED = 5;

export function ledgerTitle(run: LedgerOfRun): string {
  return `${run.workload}, ${days(run.days)}, policy ${run.policy}, seed ${run.seed}`;
}

/** Figures with their names; indented ones are part of the one before. */
export function ledgerRows(run: LedgerOfRun): readonly (readonly [string, string])[] {
  const perDay = (amount: number) => amount / run.days;
  return [
    ['cost', `$${run.costDollars.toFixed(2)}  ($${perDay(run.costDollars).toFixed(2)} a day)`],
    ...Object.entries(run.costByPool).map(([pool, dollars]) => [`  ${pool}`, `$${dollars.toFixed(2)}`] as const),
    ['nodes', `${(run.nodeHours / run.hours).toFixed(1)} on average, ${run.nodesLaunched} launched`],
    ...(run.launchesFailed > 0 ? [['launches refused', String(run.launchesFailed)] as const] : []),
    [
      'node lifetime',
      `median ${minutesInWords(run.nodeLifetimeP50Minutes)}, p95 ${minutesInWords(run.nodeLifetimeP95Minutes)}`,
    ],
    ['evictions', `${run.evictions}  (${perDay(run.evictions).toFixed(1)} a day)${causes(run)}`],
    ...(run.lostPodHours > 0 ? [['work lost by Jobs', `${run.lostPodHours.toFixed(1)} pod-hours`] as const] : []),
    ...(run.rollouts > 0 ? [['rolled, not evicted', String(run.rollouts)] as const] : []),
    ['evicted again within 30 min', String(run.reevictions)],
    ['pending', `median ${run.pendingP50Seconds.toFixed(0)} s, p95 ${run.pendingP95Seconds.toFixed(0)} s`],
    ['unavailable', `${(run.unavailablePodSeconds / 3600).toFixed(1)} pod-hours`],
    ['commands', commands(run)],
  ];
}

export function renderLedger(run: LedgerOfRun): string {
  const rows = ledgerRows(run);
  const lines = [ledgerTitle(run), '', ...table(['', ''], rows).slice(1)];
  const most = Object.entries(run.evictionsByWorkload)
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, NAMED);
  if (most.length > 0) {
    const columns = ['>EVICTIONS', 'WORKLOAD'];
    lines.push(
      '',
      ...table(
        columns,
        most.map(([name, count]) => [String(count), name]),
        Number.POSITIVE_INFINITY,
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

function commands(run: LedgerOfRun): string {
  if (run.commands === 0) return 'none';
  const predicted = (run.predictedSavingsDollarsPerHour * 100).toFixed(0);
  const realised = (run.realisedSavingsDollarsPerHour * 100).toFixed(0);
  return `${run.commands}, ${predicted} ¢/h of savings predicted, ${realised} ¢/h realised`;
}

function causes({ evictions, evictionsByCause }: LedgerOfRun): string {
  if (evictions === 0) return '';
  return `: ${Object.entries(evictionsByCause)
    .map(([cause, count]) => `${count} by ${cause}`)
    .join(', ')}`;
}

function minutesInWords(minutes: number): string {
  if (minutes === 0) return 'none ended';
  if (minutes < 120) return `${minutes.toFixed(0)} min`;
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} h` : `${(minutes / 1440).toFixed(1)} days`;
}

function days(count: number): string {
  const shown = Number.isInteger(count) ? String(count) : count.toFixed(2);
  return shown === '1' ? '1 day' : `${shown} days`;
}
