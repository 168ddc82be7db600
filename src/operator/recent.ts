/** Keys remembered. */
const MOST = 50_000;

/** Suppresses repetitions within a time. */
export class Recent {
  private readonly spanMs: number;
  /** In order of time. */
  private readonly saidMs = new Map<string, number>();

  constructor(spanMs: number) {
    this.spanMs = spanMs;
  }

  has(key: string, nowMs: number): boolean {
    const saidMs = this.saidMs.get(key);
    return saidMs !== undefined && Math.abs(nowMs - saidMs) < this.spanMs;
  }

  note(key: string, nowMs: number): void {
    this.saidMs.delete(key);
    this.saidMs.set(key, nowMs);
    for (const [oldest, saidMs] of this.saidMs) {
      if (this.saidMs.size <= MOST && Math.abs(nowMs - saidMs) < this.spanMs) break;
      this.saidMs.delete(oldest);
    }
  }
}
