import { savedInWords } from '../../lab/figures.ts';
import type { NamedPolicy } from '../../lab/named-policy.ts';
import { length, outcomeInWords } from '../../report/command-words.ts';
import { count, perHour } from '../../report/money.ts';
import type { LedgerSummary } from '../../simulator/ledger.ts';
import type { Moment } from '../../simulator/moment.ts';
import type { CommandEvent } from '../dashboard/command-events.ts';
import { hanging } from '../output/paragraph.ts';
import { table } from '../output/table.ts';
import { type Both, baselineOf } from './cluster.ts';
import type { ClusterEvent, Staying } from './events.ts';
import { baselineInWords, clock, dollarsAndCents, eventText, stayInWords, totalsInWords } from './words.ts';

export interface DemoFrame {
  readonly workload: string;
  readonly policy: NamedPolicy;
  readonly seed: number;
  readonly width: number;
}

/** What the controller is doing. */
export interface Activity {
  readonly underWay: readonly CommandEvent[];
  readonly staying: Staying;
  readonly abandoned: number;
}

const HOUR_MS = 3_600_000;

export class DemoWriter {
  private readonly frame: DemoFrame;
  /** "Decant", or the policy's name if Decant does not act. */
  private readonly name: string;
  private readonly baseline: string;
  /** Outcomes of abandoned commands that were told. */
  private readonly abandoned = new Set<string>();

  constructor(frame: DemoFrame) {
    this.frame = frame;
    this.name = frame.policy.controller === 'decant' ? 'Decant' : baselineInWords(frame.policy);
    this.baseline = baselineInWords(baselineOf(frame.policy));
  }

  /** `speed`: virtual milliseconds per second; undefined: a day as fast as possible. `url`: of its dashboard. */
  title(speed: number | undefined, url?: string): string[] {
    const { policy, workload, seed, width } = this.frame;
    const who = policy.controller === 'decant' ? `Decant (policy ${policy.name})` : this.name;
    const what = `The same workload on two simulated clusters: ${who} and ${this.baseline} (workload ${workload}, seed ${seed}).`;
    const pace =
      speed === undefined
        ? 'One day, as fast as possible.'
        : `${length(speed)} of simulated time per second; Ctrl-C stops and prints a summary.`;
    return [...hanging('', what, width), pace, ...(url === undefined ? [] : [`Dashboard: ${url}`]), ''];
  }

  /** A command gets one line, when its outcome is known. A move that is abandoned again for the same reason gets none. */
  news(news: ClusterEvent, atMs: number): string[] {
    if (news.kind === 'abandoned') {
      const outcome = outcomeInWords(news.command);
      if (this.abandoned.has(outcome)) return [];
      this.abandoned.add(outcome);
    }
    return news.kind === 'begun' ? [] : hanging(`${clock(atMs)}  `, eventText(news), this.frame.width);
  }

  /** Three lines that are overwritten as time passes: both clusters, the savings, and the current activity. */
  status({ here, baseline }: Both<Moment>, { underWay, staying }: Pick<Activity, 'underWay' | 'staying'>): string[] {
    const other = `${this.baseline} ${count(baseline.nodes, 'node')}, ${dollarsAndCents(baseline.dollarsPerHour)}/h`;
    const [latest] = underWay.slice(-1);
    const more = underWay.length > 1 ? ` (and ${underWay.length - 1} more)` : '';
    const doing = latest === undefined ? stayInWords(staying) : `${eventText(latest)}${more}`;
    return [
      `${clock(here.nowMs)}  ${totalsInWords(here)}; ${other}`,
      this.saved(here, baseline),
      `now: ${doing === '' ? 'nothing to do' : doing}`,
    ];
  }

  summary({ here, baseline }: Both<LedgerSummary>, { staying, abandoned }: Activity): string[] {
    const { workload, policy, seed, width } = this.frame;
    const row = (title: string, figure: (l: LedgerSummary) => string) => [title, figure(here), figure(baseline), ''];
    const columns = [
      '',
      `>${policy.controller === 'decant' ? `DECANT (${policy.name})` : this.name.toUpperCase()}`,
      `>${this.baseline.toUpperCase()}`,
      '',
    ];
    const rows = [
      row('cost', (l) => dollarsAndCents(l.costDollars)),
      row('nodes on average', (l) => (l.hours === 0 ? 0 : l.nodeHours / l.hours).toFixed(1)),
      row('nodes launched', (l) => String(l.nodesLaunched)),
      row('commands', (l) => String(l.commands)),
      row('evictions', (l) => String(l.evictions)),
      row('  again within 30 min', (l) => String(l.reevictions)),
      row('pending at 95 %', (l) => `${l.pendingP95Seconds.toFixed(0)} s`),
      row('unavailable pod-hours', (l) => (l.unavailablePodSeconds / 3600).toFixed(2)),
    ];
    const { commands, predictedSavingsDollarsPerHour: predicted, realisedSavingsDollarsPerHour: realised } = here;
    const savings = `savings of ${perHour(predicted * 100)} predicted, ${perHour(realised * 100)} realised`;
    const stay = stayInWords(staying);
    return [
      '',
      ...hanging(
        '',
        `${workload}, ${length(here.hours * HOUR_MS)}, seed ${seed}: ${this.saved(here, baseline)}`,
        width,
      ),
      '',
      ...table(columns, rows),
      '',
      `${count(commands, 'command')} executed, ${abandoned} abandoned; ${savings}`,
      ...(stay === '' ? [] : hanging('', `at the end, ${stay}`, width)),
      `compare policies on this workload: decant compare -w ${workload}`,
    ];
  }

  private saved(here: Money, baseline: Money): string {
    const evictions = `${count(here.evictions, 'eviction')} against ${baseline.evictions}`;
    return `${savedInWords(here.costDollars, baseline.costDollars)} against ${this.baseline}, ${evictions}`;
  }
}

interface Money {
  readonly costDollars: number;
  readonly evictions: number;
}
