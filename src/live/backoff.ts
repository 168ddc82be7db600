export interface Pace {
  readonly firstMs: number;
  readonly mostMs: number;
}

export const USUAL_PACE: Pace = { firstMs: 500, mostMs: 30_000 };

/** Exponential backoff with jitter. */
export class Backoff {
  /** Failures in a row. */
  failures = 0;
  private readonly pace: Pace;
  private readonly random: () => number;

  constructor(pace: Pace, random: () => number = Math.random) {
    this.pace = pace;
    this.random = random;
  }

  /** The next delay after a failure; at least the server's Retry-After. */
  nextMs(retryAfterMs = 0): number {
    const { firstMs, mostMs } = this.pace;
    const ms = Math.min(mostMs, firstMs * 2 ** this.failures++);
    return Math.max(retryAfterMs, ms * (0.5 + this.random() / 2));
  }

  reset(): void {
    this.failures = 0;
  }
}
