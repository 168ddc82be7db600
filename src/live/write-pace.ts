import { setTimeout as delay } from 'node:timers/promises';

export interface WriteRate {
  readonly perSecond: number;
  /** So many at once after a quiet time. */
  readonly burst: number;
}

const USUAL_RATE: WriteRate = { perSecond: 10, burst: 20 };

/** Lets writes through at a steady rate, in the order in which they came. */
export class WritePace {
  private readonly rate: WriteRate;
  private readonly nowMs: () => number;
  private readonly sleep: (ms: number) => Promise<unknown>;
  private tokens: number;
  private filledMs: number;

  constructor(
    rate: WriteRate = USUAL_RATE,
    nowMs: () => number = () => performance.now(),
    sleep: (ms: number) => Promise<unknown> = delay,
  ) {
    this.rate = rate;
    this.nowMs = nowMs;
    this.sleep = sleep;
    this.tokens = rate.burst;
    this.filledMs = nowMs();
  }

  /** Returns when it is the caller's turn. */
  async turn(): Promise<void> {
    const waitMs = this.take();
    if (waitMs > 0) await this.sleep(waitMs);
  }

  /** The server is overwhelmed: nobody before that. */
  pause(ms: number): void {
    this.take(0);
    this.tokens = Math.min(this.tokens, -(ms / 1000) * this.rate.perSecond);
  }

  /** Takes a token, from the future if there is none now; answers when that is. */
  private take(count = 1): number {
    const { perSecond, burst } = this.rate;
    const nowMs = this.nowMs();
    this.tokens = Math.min(burst, this.tokens + ((nowMs - this.filledMs) / 1000) * perSecond) - count;
    this.filledMs = nowMs;
    return this.tokens >= 0 ? 0 : (-this.tokens / perSecond) * 1000;
  }
}
