import type { Reflector } from './reflector.ts';

interface Expectation {
  isMet(): boolean;
}

/** After this long without an update, the kind is listed again. */
const USUAL_PATIENCE_MS = 10_000;

/** Writes that the caches have not seen yet; until they have, the caches are outdated. */
export class Expectations {
  private open: Expectation[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly patienceMs: number;

  constructor(patienceMs = USUAL_PATIENCE_MS) {
    this.patienceMs = patienceMs;
  }

  /** Expects an object of the reflector's kind to reach this version. */
  version<T>(reflector: Reflector<T>, resourceVersion: string): void {
    const atMs = performance.now();
    this.add(reflector, () => reflector.hasSeen(resourceVersion) || reflector.wasListedSince(atMs));
  }

  gone<T>(reflector: Reflector<T>, key: string): void {
    const atMs = performance.now();
    this.add(reflector, () => reflector.store.get(key) === undefined || reflector.wasListedSince(atMs));
  }

  /** After a write with unknown result: only a new list tells. */
  doubt<T>(reflector: Reflector<T>): void {
    const atMs = performance.now();
    this.add(reflector, () => reflector.wasListedSince(atMs));
    reflector.refresh();
  }

  get areMet(): boolean {
    this.check();
    return this.open.length === 0;
  }

  /** To be called after updates. true: the last expectation was just met. */
  check(): boolean {
    if (this.open.length === 0) return false;
    this.open = this.open.filter((e) => !e.isMet());
    if (this.open.length > 0) return false;
    for (const resume of this.waiting.splice(0)) resume();
    return true;
  }

  /** Resolves when all are met, or after the timeout. */
  async met(mostMs: number): Promise<void> {
    if (this.areMet) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, mostMs);
    this.waiting.push(resolve);
    await promise;
    clearTimeout(timer);
  }

  private add<T>(reflector: Reflector<T>, isMet: () => boolean): void {
    const expectation = { isMet };
    if (isMet()) return;
    this.open.push(expectation);
    const overdue = () => {
      if (this.open.includes(expectation) && !isMet()) reflector.refresh();
    };
    setTimeout(overdue, this.patienceMs).unref();
  }
}
