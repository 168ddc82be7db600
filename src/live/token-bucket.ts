/** So many at once after a quiet time, and so many a second in the long run. */
export class TokenBucket {
  private readonly most: number;
  private readonly perMs: number;
  private left: number;
  private filledMs: number | undefined;

  constructor(most: number, perSecond: number) {
    this.most = most;
    this.perMs = perSecond / 1000;
    this.left = most;
  }

  /** Whether there is one now; if so it is taken. */
  take(nowMs: number): boolean {
    this.fill(nowMs);
    if (this.left < 1) return false;
    this.left--;
    return true;
  }

  /** Takes one, from the future if there is none now; answers how far away that is. */
  borrow(nowMs: number): number {
    this.fill(nowMs);
    this.left--;
    return this.left >= 0 ? 0 : -this.left / this.perMs;
  }

  /** None before that. */
  pause(nowMs: number, ms: number): void {
    this.fill(nowMs);
    this.left = Math.min(this.left, -ms * this.perMs);
  }

  /** A clock that was set back fills nothing and takes nothing away. */
  private fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - (this.filledMs ?? nowMs));
    this.left = Math.min(this.most, this.left + passedMs * this.perMs);
    this.filledMs = nowMs;
  }
}
