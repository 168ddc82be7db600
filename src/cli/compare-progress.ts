import { performance } from 'node:perf_hooks';

const WIDTH = 30;

/** A bar on the terminal that is written over and gone in the end; nothing where no terminal is. */
export class ProgressBar {
  private readonly total: number;
  private readonly startedMs = performance.now();
  private readonly visible = process.stderr.isTTY;

  constructor(total: number) {
    this.total = total;
    this.show(0);
  }

  show(done: number): void {
    if (!this.visible) return;
    process.stderr.write(`\r\u001b[K${progressText(done, this.total, performance.now() - this.startedMs)}`);
  }

  clear(): void {
    if (this.visible) process.stderr.write('\r\u001b[K');
  }
}

export function progressText(done: number, total: number, elapsedMs: number): string {
  const filled = Math.floor((WIDTH * done) / total);
  const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
  const left = done === 0 ? '' : `, about ${Math.ceil((elapsedMs / done / 1000) * (total - done))} s left`;
  return `${bar} ${done} of ${total} simulations${left} (Ctrl-C: that will do)`;
}
