import type { Reflector } from './reflector.ts';

interface Expectation {
  isMet(): boolean;
}

/** After so long without hearing of it, the kind is listed again. */
const USUAL_PATIENCE_MS = 10_000;

/** What was written and not heard of yet. Until it is, the caches are behind our own doings. */
export class Expectations {
  private open: Expectation[] = [];
  private readonly waiting: (() => void)[] = [];
  private readonly patienceMs: number;

  constructor(patienceMs = USUAL_PATIENCE_MS) {
    this.patienceMs = patienceMs;
  }

  /** An object of the reflector's kind has this version. */
  version<T>(reflector: Reflector<T>, resourceVersion: string): void {
    const atMs = performance.now();
    this.add(reflector, () => reflector.hasSeen(resourceVersion) || reflector.wasListedSince(atMs));
  }

  gone<T>(reflector: Reflector<T>, key: string): void {
    const atMs = performance.now();
    this.add(reflector, () => reflector.store.get(key) === undefined || reflector.wasListedSince(atMs));
  }

  /** Nobody knows whether a write was carried out: only a list tells. */
  doubt<T>(reflector: Reflector<T>): void {
    const atMs = performance.now();
    this.add(reflector, () => reflector.wasListedSince(atMs));
    reflector.refresh();
  }

  get areMet(): boolean {
    this.look();
    return this.open.length === 0;
  }

  /** To be called when something was heard. true: the last of them was met by it. */
  look(): boolean {
    if (this.open.length === 0) return false;
    this.open = this.open.filter((e) => !e.isMet());
    if (this.open.length > 0) return false;
    for (const resume of this.waiting.splice(0)) resume();
    return true;
  }

  /** When all are met, or after so long. */
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
