/** So many at once, and so many a second in the long run. */
export class TokenBucket {
  private readonly most: number;
  private readonly perMs: number;
  private left: number;
  private filledMs = Number.NEGATIVE_INFINITY;

  constructor(most: number, perSecond: number) {
    this.most = most;
    this.perMs = perSecond / 1000;
    this.left = most;
  }

  take(nowMs: number): boolean {
    const passedMs = Math.max(0, nowMs - this.filledMs);
    this.left = Math.min(this.most, this.left + (passedMs === Infinity ? this.most : passedMs * this.perMs));
    this.filledMs = nowMs;
    if (this.left < 1) return false;
    this.left--;
    return true;
  }
}
