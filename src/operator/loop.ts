import type { TickReport } from '../controller/report.ts';
import { errorInWords, type Log } from './log.ts';

export interface LoopOptions {
  readonly tick: () => Promise<TickReport>;
  /** What a tick came to is made known before the next begins. */
  readonly report: (report: TickReport) => Promise<void>;
  /** Otherwise nothing is done until `ring`. */
  readonly mayTick: () => boolean;
  readonly onFailure: () => void;
  readonly log: Log;
  readonly times?: Partial<LoopTimes>;
  /** As TickReport.wakeAtMs counts; may be set while we run. */
  readonly wallMs: () => number;
  /** Monotonic: everything else is by this one. */
  readonly clock: () => number;
}

export interface LoopTimes {
  /** After something has happened: what comes within it is seen at once. */
  readonly gatherMs: number;
  /** Between the end of one tick and the next, whatever happens. */
  readonly restMs: number;
  /** After a tick that threw, the first time; then twice as long each time. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

/** While not everything is known: whoever knows should ring, but nobody may be forgotten. */
const UNSYNCED_MS = 5_000;

const USUAL_TIMES: LoopTimes = { gatherMs: 250, restMs: 1_000, retryMs: 1_000, longestRetryMs: 60_000 };

/** Longest sleep: a clock that is set while we sleep must not make us sleep for ever. */
const LONGEST_MS = 60_000;

/** Ticks when something has happened and when the last tick asked for it; one at a time, come what may. */
export class Loop {
  /** When the tick that is under way began. */
  tickingSinceMs: number | undefined;
  private readonly options: LoopOptions;
  private readonly times: LoopTimes;
  private rungMs: number | undefined;
  private endedMs = Number.NEGATIVE_INFINITY;
  private wakeMs: number;
  private failures = 0;
  private stopped = false;
  private rouse: () => void = () => {};
  private running: Promise<void> | undefined;

  constructor(options: LoopOptions) {
    this.options = options;
    this.times = { ...USUAL_TIMES, ...options.times };
    this.wakeMs = options.clock();
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Something has happened. */
  ring(): void {
    this.rungMs ??= this.options.clock();
    this.rouse();
  }

  /** The tick that is under way ends first. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.rouse();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const waitMs = this.options.mayTick() ? this.dueMs() - this.options.clock() : LONGEST_MS;
      if (waitMs > 0) await this.sleep(Math.min(waitMs, LONGEST_MS));
      else await this.tickOnce();
    }
  }

  private dueMs(): number {
    const { gatherMs, restMs } = this.times;
    // A tick that failed is not tried again any sooner because something happens.
    const rungMs = this.failures > 0 ? undefined : this.rungMs;
    const wantedMs = Math.min(this.wakeMs, rungMs === undefined ? Number.POSITIVE_INFINITY : rungMs + gatherMs);
    return Math.max(wantedMs, this.endedMs + restMs);
  }

  private async tickOnce(): Promise<void> {
    const { tick, report, log, clock, wallMs, onFailure } = this.options;
    this.rungMs = undefined;
    this.tickingSinceMs = clock();
    try {
      const came = await tick();
      const { wakeAtMs = Number.POSITIVE_INFINITY, idle } = came;
      this.wakeMs = clock() + (idle?.code === 'unsynced' ? UNSYNCED_MS : Math.max(0, wakeAtMs - wallMs()));
      this.failures = 0;
      await report(came);
    } catch (error) {
      if (this.stopped) return;
      const { retryMs, longestRetryMs } = this.times;
      const pauseMs = Math.min(longestRetryMs, retryMs * 2 ** Math.min(this.failures++, 20));
      this.wakeMs = clock() + pauseMs;
      onFailure();
      log.error('a look at the cluster failed, it is tried again', {
        error: errorInWords(error),
        retryMs: pauseMs,
        stack: error instanceof Error ? error.stack : undefined,
      });
    } finally {
      this.tickingSinceMs = undefined;
      this.endedMs = clock();
    }
  }

  private async sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.rouse = resolve;
    await promise;
    clearTimeout(timer);
  }
}
