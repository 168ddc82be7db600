import { setTimeout as delay } from 'node:timers/promises';
import { TokenBucket } from './token-bucket.ts';

export interface WriteRate {
  readonly perSecond: number;
  /** Writes at once after a quiet time. */
  readonly burst: number;
}

const USUAL_RATE: WriteRate = { perSecond: 10, burst: 20 };

/** Limits writes to a steady rate, in order of arrival. */
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

  /** Resolves when the caller may write. */
  async turn(): Promise<void> {
    const waitMs = this.bucket.borrow(this.nowMs());
    if (waitMs > 0) await this.sleep(waitMs);
  }

  /** After the server reported overload. */
  pause(ms: number): void {
    this.bucket.pause(this.nowMs(), ms);
  }
}
