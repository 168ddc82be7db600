import type { TimelineAnswer, TimelineColumns, TimelineEvent } from '../api.ts';

export type TimelineSample = { readonly [K in keyof TimelineColumns]: number };

/** Enough for a wide screen; beyond it, every second sample is dropped. */
const MOST_SAMPLES = 720;
const MOST_EVENTS = 400;
const FIRST_STEP_MS = 60_000;

/** History in bounded memory: samples in even steps that grow with time, and the latest events. */
export class Timeline {
  private samples: TimelineSample[] = [];
  private latest: TimelineSample | undefined;
  private readonly events: TimelineEvent[] = [];
  private eventsDropped = 0;
  private stepMs = FIRST_STEP_MS;

  /** May be called at any rate. Always keeps the last sample, so that the chart ends now. */
  sample(sample: TimelineSample): void {
    this.latest = sample;
    const last = this.samples.at(-1);
    if (last !== undefined && sample.atMs - last.atMs < this.stepMs) return;
    this.samples.push(sample);
    if (this.samples.length < MOST_SAMPLES) return;
    this.samples = this.samples.filter((_, i) => i % 2 === 0);
    // The actual step, not twice the old one: callers with long steps exceed it.
    this.stepMs = (this.samples.at(-1)!.atMs - this.samples[0].atMs) / (this.samples.length - 1);
  }

  event(event: TimelineEvent): void {
    this.events.push(event);
    if (this.events.length <= MOST_EVENTS) return;
    this.events.shift();
    this.eventsDropped++;
  }

  answer(): Omit<TimelineAnswer, 'version'> {
    const { latest } = this;
    const ended = latest === undefined || latest === this.samples.at(-1);
    const samples = ended ? this.samples : [...this.samples, latest];
    const column = (figure: keyof TimelineSample) => samples.map((sample) => sample[figure] ?? 0);
    const baseline = samples.some((sample) => sample.baselineCentsPerHour !== undefined);
    return {
      samples: {
        atMs: column('atMs'),
        centsPerHour: column('centsPerHour'),
        ...(baseline ? { baselineCentsPerHour: column('baselineCentsPerHour') } : {}),
        nodes: column('nodes'),
        pods: column('pods'),
        pendingPods: column('pendingPods'),
        evictions: column('evictions'),
        reevictions: column('reevictions'),
      },
      events: this.events,
      eventsDropped: this.eventsDropped,
    };
  }
}
