/**
 * So many pods may there be at the same time, or twice as many as there were at the start, and so many in all: with more,
 * nobody would wait for the end of a run.
 */
const MOST_AT_ONCE = 50_000;
const MOST_IN_ALL = 5_000_000;

/** The workload has become larger than a simulation takes. */
export class Outgrown extends Error {}

/** Pods are counted as they are made. */
export class Growth {
  private readonly startMs: number;
  private mostAtOnce = MOST_AT_ONCE;
  private made = 0;

  constructor(startMs: number) {
    this.startMs = startMs;
  }

  /** So many were there from the beginning. */
  begin(pods: number): void {
    this.mostAtOnce = Math.max(MOST_AT_ONCE, 2 * pods);
  }

  /** Before one more is made. */
  grow(atOnce: number, workload: string, nowMs: number): void {
    const tooManyAtOnce = atOnce >= this.mostAtOnce;
    if (!tooManyAtOnce && this.made++ < MOST_IN_ALL) return;
    const most = tooManyAtOnce ? `${this.mostAtOnce} pods at the same time` : `${MOST_IN_ALL} pods in all`;
    const seconds = Math.round((nowMs - this.startMs) / 1000);
    throw new Outgrown(
      `more than ${most}, ${seconds} s after the start, by workload ${workload}: a simulation takes no more`,
    );
  }
}
