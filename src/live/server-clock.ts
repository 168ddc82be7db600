/** The Date header has a resolution of one second. */
const STAMP_MS = 1_000;
/** Clocks synchronized by NTP agree better than that. */
const TOLERANCE_MS = 2_000;

/**
 * The API server's time, from the Date header of its answers. Decisions compare the clock with times in objects: if
 * ours were ten minutes fast, a `consolidateAfter` of five minutes would be over before it began.
 *
 * An answer with stamp D that was requested at a and arrived at b, both by our clock, means that the server is ahead by
 * at least D − b and at most D + 1 s − a. An offset within these bounds is kept, so that time is steady; otherwise it
 * moves to the nearer bound, which is never further from the truth.
 */
export class ServerClock {
  private readonly ownMs: () => number;
  private offset = 0;

  constructor(ownMs: () => number = Date.now) {
    this.ownMs = ownMs;
  }

  /** How far the server's clock is ahead of ours; 0 without evidence. */
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
