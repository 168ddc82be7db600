import { hasPassed } from './next-step.ts';
import type { Times } from './options.ts';
import { sameValue } from './same-value.ts';

/**
 * When to look the cluster over (cluster consolidation document, "Polling Period"): every few seconds while something
 * changes or gates have waited long enough, and otherwise after a pause. In a cluster of thousands of nodes some timer runs
 * out every second, so that those wait for their turn as changes do.
 */
export class Polling {
  private readonly times: Times;
  private last: { readonly atMs: number; readonly seen: unknown; readonly timedMs: number | undefined } | undefined;

  constructor(times: Times) {
    this.times = times;
  }

  /** `seen`: everything that a pass goes by, apart from the time. */
  isDue(seen: unknown, nowMs: number): boolean {
    const { last } = this;
    if (last === undefined || hasPassed(last.atMs, this.times.pauseMs, nowMs)) return true;
    if (!hasPassed(last.atMs, this.times.pollMs, nowMs)) return false;
    return (last.timedMs !== undefined && nowMs >= last.timedMs) || !sameValue(last.seen, seen);
  }

  /**
   * A pass was made, by what was `seen`; undefined: something came of it, so that the next may find more. `timedMs`: when
   * a gate will let something through that it refused.
   */
  passed(seen: unknown, nowMs: number, timedMs: number | undefined): void {
    this.last = { atMs: nowMs, seen, timedMs };
  }

  /** Before then none is, whatever happens. */
  get soonestMs(): number | undefined {
    return this.last && this.last.atMs + this.times.pollMs;
  }

  /** When a pass will be due if nothing changes from now on. */
  nextMs(seen: unknown, nowMs: number): number {
    const { last } = this;
    if (last === undefined) return nowMs;
    const { pollMs, pauseMs } = this.times;
    if (!sameValue(last.seen, seen)) return Math.max(nowMs, last.atMs + pollMs);
    const timedMs = Math.max(last.timedMs ?? Infinity, last.atMs + pollMs);
    return Math.max(nowMs, Math.min(last.atMs + pauseMs, timedMs));
  }
}
