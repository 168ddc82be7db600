import { performance } from 'node:perf_hooks';
import { secondsInWords } from '../../lab/figures.ts';
import { ProgressLine, TimeLeft } from '../output/progress.ts';

const WIDTH = 20;
/** Between updates. */
const PAUSE_MS = 100;

/** A progress bar that is erased at the end; none without a terminal. */
export class ProgressBar {
  private readonly total: number;
  private readonly startedMs = performance.now();
  private readonly line = new ProgressLine();
  private readonly timeLeft = new TimeLeft();
  private shownMs = Number.NEGATIVE_INFINITY;

  constructor(total: number) {
    this.total = total;
    this.show(0);
  }

  /** `left`: the time left, undefined if unknown; by default from the pace so far. */
  show(done: number, underWay = 0, left?: () => number | undefined): void {
    const nowMs = performance.now();
    if (nowMs - this.shownMs < PAUSE_MS) return;
    this.shownMs = nowMs;
    const elapsedMs = nowMs - this.startedMs;
    const share = (done + underWay) / this.total;
    const leftMs = left === undefined ? this.timeLeft.estimateMs(share, elapsedMs) : left();
    const known = left === undefined || leftMs === undefined ? share : elapsedMs / (elapsedMs + leftMs);
    this.line.show(progressText(done, known, this.total, leftMs));
  }

  clear(): void {
    this.line.clear();
  }
}

/** `share`: of the work. Fits 80 columns, so that it never wraps. */
export function progressText(done: number, share: number, total: number, leftMs: number | undefined): string {
  const filled = Math.floor(WIDTH * share);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  const left = leftMs === undefined ? '' : `, about ${secondsInWords(leftMs / 1000)} left`;
  return `${bar} ${done} of ${total} runs${left} (Ctrl-C to stop)`;
}
