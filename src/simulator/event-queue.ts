/** Something that will happen. */
interface Entry {
  readonly atMs: number;
  /** Order of entry, so that events of the same time happen in the order in which they were announced. */
  readonly number: number;
  readonly happen: () => void;
}

/** What is to come, soonest first, as a binary heap. It is also the clock: time is when the last event was. */
export class EventQueue {
  private readonly heap: Entry[] = [];
  private announced = 0;
  private time: number;

  constructor(startMs: number) {
    this.time = startMs;
  }

  get nowMs(): number {
    return this.time;
  }

  /** When the next event is due; undefined if nothing is to come. */
  get nextMs(): number | undefined {
    return this.heap[0]?.atMs;
  }

  /** What is announced for the past happens now. */
  at(atMs: number, happen: () => void): void {
    const entry = { atMs: Math.max(atMs, this.time), number: this.announced++, happen };
    const { heap } = this;
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!isSooner(entry, heap[parent])) break;
      heap[i] = heap[parent];
      i = parent;
    }
    heap[i] = entry;
  }

  after(delayMs: number, happen: () => void): void {
    this.at(this.time + delayMs, happen);
  }

  /** Lets everything happen that is due until then, that moment included; then it is that time. */
  runUntil(untilMs: number): void {
    for (let next = this.heap[0]; next !== undefined && next.atMs <= untilMs; next = this.heap[0]) {
      this.takeFirst();
      this.time = next.atMs;
      next.happen();
    }
    this.time = Math.max(this.time, untilMs);
  }

  /** Moves the last entry to the top and lets it sink. */
  private takeFirst(): void {
    const { heap } = this;
    const last = heap.pop() as Entry;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isSooner(heap[child + 1], heap[child])) child++;
      if (!isSooner(heap[child], last)) break;
      heap[i] = heap[child];
      i = child;
    }
    heap[i] = last;
  }
}

function isSooner(a: Entry, b: Entry): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
}
