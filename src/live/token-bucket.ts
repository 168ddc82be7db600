/** A burst after a quiet time, and a steady rate in the long run. */
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

  /** Takes a token if there is one. */
  take(nowMs: number): boolean {
    this.fill(nowMs);
    if (this.left < 1) return false;
    this.left--;
    return true;
  }

  /** Takes a token, from the future if necessary; returns the time until then. */
  borrow(nowMs: number): number {
    this.fill(nowMs);
    this.left--;
    return this.left >= 0 ? 0 : -this.left / this.perMs;
  }

  /** No tokens before then. */
  pause(nowMs: number, ms: number): void {
    this.fill(nowMs);
    this.left = Math.min(this.left, -ms * this.perMs);
  }

  /** A clock that was set back changes nothing. */
  private fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - (this.filledMs ?? nowMs));
    this.left = Math.min(this.most, this.left + passedMs * this.perMs);
    this.filledMs = nowMs;
  }
}
