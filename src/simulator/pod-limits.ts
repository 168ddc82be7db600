/**
 * Limits of a run: pods at the same time (or twice the number at the start, if that is more), and pods created. They stop
 * workloads that would run for hours.
 */
const MOST_AT_ONCE = 50_000;
const MOST_IN_ALL = 5_000_000;

/** The workload exceeds the limits of a simulation. */
export class WorkloadTooLarge extends Error {}

/** Counts created pods. */
export class PodLimits {
  private readonly startMs: number;
  private mostAtOnce = MOST_AT_ONCE;
  private made = 0;

  constructor(startMs: number) {
    this.startMs = startMs;
  }

  /** Number of imported pods. */
  begin(pods: number): void {
    this.mostAtOnce = Math.max(MOST_AT_ONCE, 2 * pods);
  }

  /** To be called before each pod is created. */
  grow(atOnce: number, workload: string, nowMs: number): void {
    const tooManyAtOnce = atOnce >= this.mostAtOnce;
    if (!tooManyAtOnce && this.made++ < MOST_IN_ALL) return;
    const most = tooManyAtOnce ? `${this.mostAtOnce} pods at the same time` : `${MOST_IN_ALL} pods in all`;
    const seconds = Math.round((nowMs - this.startMs) / 1000);
    throw new WorkloadTooLarge(
      `more than ${most}, ${seconds} s after the start, by workload ${workload}: the limit of a simulation`,
    );
  }
}
