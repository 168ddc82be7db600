import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { secondsInWords } from '../../lab/figures.ts';

/** ", about 5 s left"; never 0 s, because work remains as long as it is shown. */
export function leftInWords(leftMs: number | undefined): string {
  return leftMs === undefined ? '' : `, about ${secondsInWords(Math.max(1, leftMs / 1000))} left`;
}

const ERASE = '\r\u001b[K';

/** One line on standard error that is overwritten; nothing without a terminal. */
export class ProgressLine {
  private shown = false;

  show(text: string): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(ERASE + text);
    this.shown = true;
  }

  clear(): void {
    if (this.shown) process.stderr.write(ERASE);
    this.shown = false;
  }
}

/**
 * Estimates the remaining time from the pace of the last half of the time so far: a process starts slowly, and later work
 * may be lighter or heavier than the first.
 */
export class TimeLeft {
  private readonly points: { readonly elapsedMs: number; readonly share: number }[] = [{ elapsedMs: 0, share: 0 }];

  /** `share`: of the work, never less than before. undefined as long as next to nothing was done. */
  estimateMs(share: number, elapsedMs: number): number | undefined {
    if (share > this.points[this.points.length - 1].share) this.points.push({ elapsedMs, share });
    const last = this.points[this.points.length - 1];
    while (this.points.length > 2 && this.points[1].elapsedMs <= last.elapsedMs / 2) this.points.shift();
    const [first] = this.points;
    if (first === last || share < LEAST_SHARE) return undefined;
    const leftMs = ((1 - last.share) * (last.elapsedMs - first.elapsedMs)) / (last.share - first.share);
    // The step under way ends now at the earliest: if it takes longer than the others, so does the rest.
    const step = last.share - this.points[this.points.length - 2].share;
    const after = Math.max(0, 1 - last.share - step);
    const laterMs = (after * (elapsedMs - first.elapsedMs)) / (last.share + step - first.share);
    return Math.max(laterMs, leftMs - (elapsedMs - last.elapsedMs));
  }
}

/** Below this share the pace says little: a process starts slowly. */
const LEAST_SHARE = 0.01;

const SLICE_MS = 50;

/** Lets signals and other work in: they wait while code runs. */
export class Pauses {
  private pausedMs = performance.now();

  /** Pauses every 50 ms, and returns whether it did. */
  async pause(): Promise<boolean> {
    if (performance.now() - this.pausedMs < SLICE_MS) return false;
    await nextTurn();
    this.pausedMs = performance.now();
    return true;
  }
}

/** The first Ctrl-C aborts `signal`, for the results so far; a second one ends the process as usual. */
export class Interrupt extends Pauses {
  private readonly controller = new AbortController();
  readonly signal: AbortSignal = this.controller.signal;
  private readonly abort = () => {
    this.controller.abort();
    this.end();
  };

  constructor() {
    super();
    process.on('SIGINT', this.abort);
  }

  end(): void {
    process.removeListener('SIGINT', this.abort);
  }
}
