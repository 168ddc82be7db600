/** A scheduled event. */
interface Entry {
  readonly atMs: number;
  /** Insertion order: events of the same time run in this order. */
  readonly number: number;
  readonly run: () => void;
}

/** A priority queue of events (binary heap) that is also the virtual clock. */
export class EventQueue {
  private readonly heap: Entry[] = [];
  private inserted = 0;
  private time: number;

  constructor(startMs: number) {
    this.time = startMs;
  }

  get nowMs(): number {
    return this.time;
  }

  /** Time of the next event; undefined if there is none. */
  get nextMs(): number | undefined {
    return this.heap[0]?.atMs;
  }

  /** Events in the past run now. */
  at(atMs: number, run: () => void): void {
    const entry = { atMs: Math.max(atMs, this.time), number: this.inserted++, run };
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

  after(delayMs: number, run: () => void): void {
    this.at(this.time + delayMs, run);
  }

  /** Runs all events up to and including this time, then sets the clock to it. */
  runUntil(untilMs: number): void {
    for (let next = this.heap[0]; next !== undefined && next.atMs <= untilMs; next = this.heap[0]) {
      this.takeFirst();
      this.time = next.atMs;
      next.run();
    }
    this.time = Math.max(this.time, untilMs);
  }

  /** Removes the first entry: moves the last one to the top and sifts it down. */
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
