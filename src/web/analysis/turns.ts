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

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting >= MOST_WAITING) throw new Refused(503, `${this.busy}; ask again in a moment`);
    this.waiting++;
    const turn = this.last.then(work, work);
    this.last = turn.catch(() => {});
    try {
      return await turn;
    } finally {
      this.waiting--;
    }
  }
}
