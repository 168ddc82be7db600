import { sameValue } from '../controller/same-value.ts';

/**
 * Objects of one kind by key. An object that arrives again unchanged keeps its identity, and so does the list while
 * nothing changes: comparing by identity shows real changes and not every heartbeat.
 */
export class ObjectStore<T> {
  private objects = new Map<string, T>();
  private listed: readonly T[] | undefined = [];

  get(key: string): T | undefined {
    return this.objects.get(key);
  }

  get size(): number {
    return this.objects.size;
  }

  /** The same array until something changes. */
  get list(): readonly T[] {
    this.listed ??= [...this.objects.values()];
    return this.listed;
  }

  /** Returns false if no field that is read has changed. */
  put(key: string, object: T): boolean {
    const known = this.objects.get(key);
    if (known !== undefined && sameValue(known, object)) return false;
    this.objects.set(key, object);
    this.listed = undefined;
    return true;
  }

  delete(key: string): boolean {
    if (!this.objects.delete(key)) return false;
    this.listed = undefined;
    return true;
  }

  /** Replaces all objects. Begin with `replacement`, put into it, then call `replace`. */
  replace(next: NextObjects<T>): boolean {
    const { objects, fresh } = next;
    const changed = fresh > 0 || objects.size !== this.objects.size;
    this.objects = objects;
    if (changed) this.listed = undefined;
    return changed;
  }

  replacement(): NextObjects<T> {
    return new NextObjects(this.objects);
  }
}

export class NextObjects<T> {
  readonly objects = new Map<string, T>();
  /** Number of new or changed objects. */
  fresh = 0;
  private readonly before: ReadonlyMap<string, T>;

  constructor(before: ReadonlyMap<string, T>) {
    this.before = before;
  }

  put(key: string, object: T): void {
    const known = this.before.get(key);
    const same = known !== undefined && sameValue(known, object);
    if (!same) this.fresh++;
    this.objects.set(key, same ? known : object);
  }
}
