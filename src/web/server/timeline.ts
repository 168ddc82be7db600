import type { TimelineAnswer, TimelineColumns, TimelineEvent } from '../api.ts';

export type TimelineSample = { readonly [K in keyof TimelineColumns]: number };

/** As many as a wide screen has room for; when there are more, every second goes. */
const MOST_SAMPLES = 720;
const MOST_EVENTS = 400;
const FIRST_STEP_MS = 60_000;

/** What happened, in bounded memory: samples in even steps that grow with the time, and the latest events. */
export class Timeline {
  private samples: TimelineSample[] = [];
  private readonly events: TimelineEvent[] = [];
  private eventsDropped = 0;
  private stepMs = FIRST_STEP_MS;

  /** As often as one likes. The last one is always there: the picture ends now. */
  sample(sample: TimelineSample): void {
    const { samples } = this;
    const before = samples.at(-2);
    if (before !== undefined && sample.atMs - before.atMs < this.stepMs) samples.pop();
    samples.push(sample);
    if (samples.length <= MOST_SAMPLES) return;
    this.samples = samples.filter((_, i) => i % 2 === 0 || i === samples.length - 1);
    this.stepMs *= 2;
  }

  event(event: TimelineEvent): void {
    this.events.push(event);
    if (this.events.length <= MOST_EVENTS) return;
    this.events.shift();
    this.eventsDropped++;
  }

  answer(): Omit<TimelineAnswer, 'version'> {
    const column = (figure: keyof TimelineSample) => this.samples.map((sample) => sample[figure] ?? 0);
    const alone = this.samples.some((sample) => sample.aloneCentsPerHour !== undefined);
    return {
      samples: {
        atMs: column('atMs'),
        centsPerHour: column('centsPerHour'),
        ...(alone ? { aloneCentsPerHour: column('aloneCentsPerHour') } : {}),
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
