/** The Date header leaves out everything below a second. */
const STAMP_MS = 1_000;
/** Clocks that NTP looks after agree better than that. */
const TOLERANCE_MS = 2_000;

/**
 * What time it is for the API server, by the Date header of its answers. What decisions compare with the clock are times
 * in objects: were ours ten minutes fast, a `consolidateAfter` of five minutes would be over before it began.
 *
 * An answer with stamp D that was asked for at a and came at b, both by our own clock, says that the server's is ahead by
 * at least D − b and at most D + 1 s − a. An offset that agrees with that is kept, so that time does not tremble; another
 * moves to the nearer bound, which brings it no further from the truth between the two.
 */
export class ServerClock {
  private readonly ownMs: () => number;
  private offset = 0;

  constructor(ownMs: () => number = Date.now) {
    this.ownMs = ownMs;
  }

  /** How far the server's clock is ahead of ours; 0 while nothing speaks against it. */
  get offsetMs(): number {
    return this.offset;
  }

  nowMs(): number {
    return this.ownMs() + this.offset;
  }

  heard(date: string | undefined, askedMs: number): void {
    const stampMs = Date.parse(date ?? '');
    if (Number.isNaN(stampMs)) return;
    const least = stampMs - this.ownMs();
    const most = stampMs + STAMP_MS - askedMs;
    if (this.offset < least - TOLERANCE_MS || this.offset > most + TOLERANCE_MS)
      this.offset = Math.min(Math.max(this.offset, least), most);
  }
}
