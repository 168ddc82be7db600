import type { Reflector } from './reflector.ts';

interface Expectation {
  readonly reflector: Reflector<unknown>;
  isMet(): boolean;
}

/** After so long without hearing of it, the kind is listed again. */
const USUAL_PATIENCE_MS = 10_000;

/** What was written and not heard of yet. Until it is, the caches are behind our own doings. */
export class Expectations {
  private open: Expectation[] = [];
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

  /** As far as was looked last. */
  get areOpen(): boolean {
    return this.open.length > 0;
  }

  get areMet(): boolean {
    if (this.open.length > 0) this.open = this.open.filter((e) => !e.isMet());
    return this.open.length === 0;
  }

  private add<T>(reflector: Reflector<T>, isMet: () => boolean): void {
    const expectation: Expectation = { reflector: reflector as Reflector<unknown>, isMet };
    if (isMet()) return;
    this.open.push(expectation);
    const overdue = () => {
      if (this.open.includes(expectation) && !isMet()) reflector.refresh();
    };
    setTimeout(overdue, this.patienceMs).unref();
  }
}
