import type { ReconcileReport } from '../controller/report.ts';
import { errorInWords, type Log } from './log.ts';

export interface LoopOptions {
  readonly reconcile: () => Promise<ReconcileReport>;
  /** Awaited before the next call of `reconcile`. */
  readonly report: (report: ReconcileReport) => Promise<void>;
  /** While false, the loop waits for `ring`. */
  readonly mayReconcile: () => boolean;
  readonly onFailure: () => void;
  readonly log: Log;
  readonly times?: Partial<LoopTimes>;
  /** The clock of `wakeAtMs`; it may be set while the process runs. */
  readonly wallMs: () => number;
  /** Monotonic; used for everything else. */
  readonly clock: () => number;
}

export interface LoopTimes {
  /** Delay after a change, so that changes in quick succession share one pass. */
  readonly gatherMs: number;
  /** Minimum time between the end of one call and the start of the next. */
  readonly restMs: number;
  /** After the first failure; doubled with each further one. */
  readonly retryMs: number;
  readonly longestRetryMs: number;
}

/** Retry interval while the caches are not synced, in case no change is announced. */
const UNSYNCED_MS = 5_000;

const USUAL_TIMES: LoopTimes = { gatherMs: 250, restMs: 1_000, retryMs: 1_000, longestRetryMs: 60_000 };

/** Longest sleep, so that setting the clock cannot stop the loop. */
const LONGEST_MS = 60_000;

/** Calls `reconcile` when something has changed and when the last call asked for it, one call at a time. */
export class Loop {
  /** Start of the call in progress. */
  reconcilingSinceMs: number | undefined;
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

  /** Announces a change. */
  ring(): void {
    this.rungMs ??= this.options.clock();
    this.rouse();
  }

  /** Resolves when the call in progress has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.rouse();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      const waitMs = this.options.mayReconcile() ? this.dueMs() - this.options.clock() : LONGEST_MS;
      if (waitMs > 0) await this.sleep(Math.min(waitMs, LONGEST_MS));
      else await this.reconcileOnce();
    }
  }

  private dueMs(): number {
    const { gatherMs, restMs } = this.times;
    // After a failure, changes do not shorten the back-off.
    const rungMs = this.failures > 0 ? undefined : this.rungMs;
    const wantedMs = Math.min(this.wakeMs, rungMs === undefined ? Number.POSITIVE_INFINITY : rungMs + gatherMs);
    return Math.max(wantedMs, this.endedMs + restMs);
  }

  private async reconcileOnce(): Promise<void> {
    const { reconcile, report, log, clock, wallMs, onFailure } = this.options;
    this.rungMs = undefined;
    this.reconcilingSinceMs = clock();
    try {
      const came = await reconcile();
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
      log.error('pass failed, retrying', {
        error: errorInWords(error),
        retryMs: pauseMs,
        stack: error instanceof Error ? error.stack : undefined,
      });
    } finally {
      this.reconcilingSinceMs = undefined;
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
