import { hasPassed } from './next-step.ts';
import type { Times } from './options.ts';
import { sameValue } from './same-value.ts';

/**
 * When to run a pass (cluster consolidation document, "Polling Period"): every few seconds while the cluster changes or
 * a gate's time has passed, otherwise after a pause. In large clusters some timer ends every second, so timers wait
 * like changes.
 */
export class Polling {
  private readonly times: Times;
  private last: { readonly atMs: number; readonly seen: unknown; readonly timedMs: number | undefined } | undefined;

  constructor(times: Times) {
    this.times = times;
  }

  /** `seen`: everything that a pass depends on, except the time. */
  isDue(seen: unknown, nowMs: number): boolean {
    const { last } = this;
    if (last === undefined || hasPassed(last.atMs, this.times.pauseMs, nowMs)) return true;
    if (!hasPassed(last.atMs, this.times.pollMs, nowMs)) return false;
    return (last.timedMs !== undefined && nowMs >= last.timedMs) || !sameValue(last.seen, seen);
  }

  /**
   * After a pass on `seen`; undefined: it had effects, so the next may find more. `timedMs`: when a gate will pass
   * something that it refused.
   */
  passed(seen: unknown, nowMs: number, timedMs: number | undefined): void {
    this.last = { atMs: nowMs, seen, timedMs };
  }

  /** No pass before then. */
  get soonestMs(): number | undefined {
    return this.last && this.last.atMs + this.times.pollMs;
  }

  /** When a pass is due if nothing changes. */
  nextMs(seen: unknown, nowMs: number): number {
    const { last } = this;
    if (last === undefined) return nowMs;
    const { pollMs, pauseMs } = this.times;
    if (!sameValue(last.seen, seen)) return Math.max(nowMs, last.atMs + pollMs);
    const timedMs = Math.max(last.timedMs ?? Infinity, last.atMs + pollMs);
    return Math.max(nowMs, Math.min(last.atMs + pauseMs, timedMs));
  }
}
