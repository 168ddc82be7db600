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

  show(done: number, underWay = 0): void {
    const nowMs = performance.now();
    if (nowMs - this.shownMs < PAUSE_MS) return;
    this.shownMs = nowMs;
    const leftMs = this.timeLeft.estimateMs((done + underWay) / this.total, nowMs - this.startedMs);
    this.line.show(progressText(done, underWay, this.total, leftMs));
  }

  clear(): void {
    this.line.clear();
  }
}

/** `underWay`: in simulations, like `done`. Fits 80 columns, so that it never wraps. */
export function progressText(done: number, underWay: number, total: number, leftMs: number | undefined): string {
  const share = (done + underWay) / total;
  const filled = Math.floor(WIDTH * share);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  const left = leftMs === undefined ? '' : `, about ${secondsInWords(leftMs / 1000)} left`;
  return `${bar} ${done} of ${total} runs${left} (Ctrl-C to stop)`;
}
