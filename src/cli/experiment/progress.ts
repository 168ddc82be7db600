import { performance } from 'node:perf_hooks';
import { leftInWords, ProgressLine } from '../output/progress.ts';

const WIDTH = 16;
/** Between updates. */
const PAUSE_MS = 100;

/** A progress bar that is erased at the end; none without a terminal. */
export class ProgressBar {
  /** Of runs; about as many if it may change. */
  private total: number;
  private readonly isExact: boolean;
  private readonly startedMs = performance.now();
  private readonly line = new ProgressLine();
  private shownMs = Number.NEGATIVE_INFINITY;

  constructor(total: number, isExact = true) {
    this.total = total;
    this.isExact = isExact;
    this.show(0, 0, () => undefined);
  }

  /** `left`: the time left, undefined if unknown. */
  show(done: number, underWay: number, left: () => number | undefined, total = this.total): void {
    this.total = total;
    const nowMs = performance.now();
    if (nowMs - this.shownMs < PAUSE_MS) return;
    this.shownMs = nowMs;
    const elapsedMs = nowMs - this.startedMs;
    const leftMs = left();
    const share = leftMs === undefined ? (done + underWay) / total : elapsedMs / (elapsedMs + leftMs);
    this.line.show(progressText(done, share, this.isExact ? `${total}` : `about ${total}`, leftMs));
  }

  clear(): void {
    this.line.clear();
  }
}

/** `share`: of the work. Fits 80 columns, so that it never wraps. */
export function progressText(done: number, share: number, total: string, leftMs: number | undefined): string {
  const filled = Math.floor(WIDTH * share);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  return `${bar} ${done} of ${total} runs${leftInWords(leftMs)} (Ctrl-C to stop)`;
}
