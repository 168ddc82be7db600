import { setTimeout as delay } from 'node:timers/promises';
import { TokenBucket } from './token-bucket.ts';

export interface WriteRate {
  readonly perSecond: number;
  /** So many at once after a quiet time. */
  readonly burst: number;
}

const USUAL_RATE: WriteRate = { perSecond: 10, burst: 20 };

/** Lets writes through at a steady rate, in the order in which they came. */
export class WritePace {
  private readonly nowMs: () => number;
  private readonly sleep: (ms: number) => Promise<unknown>;
  private readonly bucket: TokenBucket;

  constructor(
    rate: WriteRate = USUAL_RATE,
    nowMs: () => number = () => performance.now(),
    sleep: (ms: number) => Promise<unknown> = delay,
  ) {
    this.nowMs = nowMs;
    this.sleep = sleep;
    this.bucket = new TokenBucket(rate.burst, rate.perSecond);
  }

  /** Returns when it is the caller's turn. */
  async turn(): Promise<void> {
    const waitMs = this.bucket.borrow(this.nowMs());
    if (waitMs > 0) await this.sleep(waitMs);
  }

  /** The server is overwhelmed: nobody before that. */
  pause(ms: number): void {
    this.bucket.pause(this.nowMs(), ms);
  }
}
