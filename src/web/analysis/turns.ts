import { Refused } from './refused.ts';

/** With more, answers would arrive after the client has lost interest. */
const MOST_WAITING = 8;

/** Runs work one at a time, with a limited queue. */
export class Turns {
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();
  private readonly busy: string;

  /** `busy`: the message when the queue is full. */
  constructor(busy: string) {
    this.busy = busy;
  }

  /** Aborting `left` frees the slot at once; the work is then skipped. */
  async take<T>(work: () => Promise<T>, left?: AbortSignal): Promise<T> {
    if (this.waiting >= MOST_WAITING) throw new Refused(503, `${this.busy}; try again in a moment`);
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
