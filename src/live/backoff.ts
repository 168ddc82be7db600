export interface Pace {
  readonly firstMs: number;
  readonly mostMs: number;
}

export const USUAL_PACE: Pace = { firstMs: 500, mostMs: 30_000 };

/** How long to wait after each of several failures in a row: twice as long each time, and never all at one moment. */
export class Backoff {
  /** Failures in a row. */
  failures = 0;
  private readonly pace: Pace;
  private readonly random: () => number;

  constructor(pace: Pace, random: () => number = Math.random) {
    this.pace = pace;
    this.random = random;
  }

  /** After one more failure; a server that says when to come again is listened to. */
  nextMs(retryAfterMs = 0): number {
    const { firstMs, mostMs } = this.pace;
    const ms = Math.min(mostMs, firstMs * 2 ** this.failures++);
    return Math.max(retryAfterMs, ms * (0.5 + this.random() / 2));
  }

  reset(): void {
    this.failures = 0;
  }
}
