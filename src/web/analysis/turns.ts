import { Refused } from './refused.ts';

/** Longer lines would only be answered when nobody cares any more. */
const MOST_WAITING = 8;

/** One after the other, and not too many. */
export class Turns {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();
  private readonly busy: string;

  /** `busy`: what those who come too late are told. */
  constructor(busy: string) {
    this.busy = busy;
  }

  /** Who leaves makes room at once, and is not worked for when the turn comes. */
  async take<T>(work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    if (this.waiting >= MOST_WAITING) throw new Refused(503, `${this.busy}; ask again in a moment`);
    this.waiting++;
    let isWaiting = true;
    const leave = () => {
      if (isWaiting) this.waiting--;
      isWaiting = false;
    };
    left?.addEventListener('abort', leave);
    const turn = this.last.then(() => {
      left?.throwIfAborted();
      return work();
    });
    this.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      left?.removeEventListener('abort', leave);
      leave();
    }
  }
}
