/**
 * An AbortController that aborts with another signal until it is unlinked. AbortSignal.any does the same, but Node keeps a few
 * hundred bytes of each call for as long as the other signal lives, which is the life of the process.
 */
export class LinkedAbort extends AbortController {
  private readonly other: AbortSignal;
  private readonly follow = () => this.abort(this.other.reason);

  constructor(other: AbortSignal) {
    super();
    this.other = other;
    if (other.aborted) this.follow();
    else other.addEventListener('abort', this.follow);
  }

  unlink(): void {
    this.other.removeEventListener('abort', this.follow);
  }
}
