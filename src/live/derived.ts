import { sameValue } from '../controller/same-value.ts';

/** A value derived from others: recomputed only if an input changed, and replaced only if the result differs. */
export class Derived<T> {
  private from: readonly unknown[] | undefined;
  private value: T | undefined;

  of(from: readonly unknown[], make: () => T): T {
    if (this.from?.every((each, i) => each === from[i])) return this.value as T;
    const made = make();
    this.value = this.from !== undefined && sameValue(this.value, made) ? (this.value as T) : made;
    this.from = from;
    return this.value;
  }
}
