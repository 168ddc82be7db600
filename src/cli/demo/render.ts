import type { Refusal } from '../../engine/refusal.ts';
import { refusalText } from '../../engine/refusal-text.ts';
import { reasonInWords } from '../../report/command-words.ts';
import { count, perHour } from '../../report/money.ts';
import type { LedgerSummary } from '../../simulator/ledger.ts';
import type { Moment } from '../../simulator/moment.ts';
import { hanging } from '../output/paragraph.ts';
import { type Column, table } from '../output/table.ts';
import type { ClusterEvent, Staying } from './events.ts';
import { clock, dollars, eventText, length, momentInWords, savedInWords, stayInWords } from './words.ts';

export interface DemoFrame {
  readonly workload: string;
  readonly policy: string;
  readonly seed: number;
  readonly width: number;
}

interface Both<T> {
  readonly here: T;
  /** The same cluster with nobody to consolidate it. */
  readonly alone: T;
}

const HOUR_MS = 3_600_000;

/** A demonstration in words. It remembers what was said, so as not to say it again. */
export class DemoWriter {
  private readonly frame: DemoFrame;
  private lastStay = '';
  private readonly explained = new Set<string>();

  constructor(frame: DemoFrame) {
    this.frame = frame;
  }

  /** `speed`: virtual milliseconds in a second; undefined: a day as fast as it goes. `url`: of its dashboard. */
  title(speed: number | undefined, url?: string): string[] {
    const { workload, policy, seed, width } = this.frame;
    const what = `A simulated cluster: workload ${workload}, policy ${policy}, seed ${seed}; next to it, the same cluster without consolidation.`;
    const pace =
      speed === undefined
        ? 'One day, as fast as possible.'
        : `${length(speed)} of simulated time per second; Ctrl-C stops and prints a summary.`;
    return [...hanging('', what, width), pace, ...(url === undefined ? [] : [`Dashboard: ${url}`]), ''];
  }

  news(news: ClusterEvent, atMs: number): string[] {
    return this.at(atMs, eventText(news));
  }

  /** Once an hour: how things stand, and why nodes stay if that has changed. A reason is explained when it is new. */
  hour({ here, alone }: Both<Moment>, staying: Staying): string[] {
    const aside = `(without consolidation ${alone.nodes}, ${dollars(alone.dollarsPerHour)}/h)`;
    const lines = this.at(here.nowMs, `── ${momentInWords(here)} ${aside}; ${savedInWords(here, alone)}`);
    const stay = stayInWords(staying);
    if (stay === this.lastStay) return lines;
    this.lastStay = stay;
    if (stay !== '') lines.push(...this.at(here.nowMs, stay));
    for (const [node, { refusal, before }] of staying.nodes)
      for (const reason of [refusal, before])
        if (reason !== undefined) lines.push(...this.explanation(reason, `, such as ${node}`));
    for (const reason of staying.held) if (reason.code !== 'given-up-before') lines.push(...this.explanation(reason));
    return lines;
  }

  status({ here, alone }: Both<Moment>): string {
    return `${clock(here.nowMs)}  ${momentInWords(here)}; ${savedInWords(here, alone)} (Ctrl-C to stop)`;
  }

  summary({ here, alone }: Both<LedgerSummary>, givenUp: number): string[] {
    const { workload, policy, seed } = this.frame;
    const row = (title: string, figure: (l: LedgerSummary) => string) => [title, figure(here), figure(alone), ''];
    const columns: Column[] = [
      { title: '' },
      { title: policy.toUpperCase(), align: 'right' },
      { title: 'NO CONSOLIDATION', align: 'right' },
      { title: '' },
    ];
    const rows = [
      row('cost', (l) => dollars(l.costDollars)),
      row('nodes on average', (l) => (l.hours === 0 ? 0 : l.nodeHours / l.hours).toFixed(1)),
      row('nodes launched', (l) => String(l.nodesLaunched)),
      row('evictions', (l) => String(l.evictions)),
      row('  again within 30 min', (l) => String(l.reevictions)),
      row('pending at 95 %', (l) => `${l.pendingP95Seconds.toFixed(0)} s`),
      row('unavailable pod-hours', (l) => (l.unavailablePodSeconds / 3600).toFixed(2)),
    ];
    const { commands, predictedSavingsDollarsPerHour: predicted, realisedSavingsDollarsPerHour: realised } = here;
    const savings = `savings of ${perHour(predicted * 100)} predicted, ${perHour(realised * 100)} realised`;
    return [
      '',
      `${workload}, ${length(here.hours * HOUR_MS)}, policy ${policy}, seed ${seed}: ${savedInWords(here, alone)}`,
      '',
      ...table(columns, rows, Number.POSITIVE_INFINITY),
      '',
      `${count(commands, 'command')} executed, ${givenUp} abandoned; ${savings}`,
      `compare policies on this workload: decant compare -w ${workload}`,
    ];
  }

  private at(ms: number, text: string): string[] {
    return hanging(`${clock(ms)}  `, text, this.frame.width);
  }

  private explanation(refusal: Refusal, whose = ''): string[] {
    if (this.explained.has(refusal.code)) return [];
    this.explained.add(refusal.code);
    const text = `${reasonInWords(refusal.code)}${whose}: ${refusalText(refusal)}`;
    return hanging(' '.repeat('Mon 00:00  '.length), text, this.frame.width);
  }
}
