import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { Labels } from '../cluster/objects.ts';
import type { CompiledSelector } from './label-selector.ts';

interface Namespace<T> {
  readonly anchored: Map<string, Map<T, CompiledSelector[]>>;
  readonly rest: Map<T, CompiledSelector[]>;
}

/**
 * Finds the items of which a selector matches labels, without testing all: a selector that requires a label with one of some values
 * is only tested if that label has one of them.
 */
export class SelectorIndex<T> {
  private readonly namespaces = new Map<string, Namespace<T>>();
  private readonly remembered = new Map<string, Map<Labels, readonly T[]>>();

  add(namespaces: Iterable<string>, selector: CompiledSelector, item: T): void {
    this.remembered.clear();
    for (const name of namespaces) {
      const ns = getOrInsert(this.namespaces, name, () => ({ anchored: new Map(), rest: new Map() }));
      const { anchor } = selector;
      if (anchor === undefined) getOrInsert(ns.rest, item, () => []).push(selector);
      for (const value of anchor?.values ?? []) {
        const entries = getOrInsert(ns.anchored, `${anchor?.key}=${value}`, () => new Map<T, CompiledSelector[]>());
        getOrInsert(entries, item, () => []).push(selector);
      }
    }
  }

  /** Remembered per labels object. */
  matching(namespace: string, labels: Labels): readonly T[] {
    const memo = getOrInsert(this.remembered, namespace, () => new Map());
    return getOrInsert(memo, labels, () => this.matchingAmong(namespace, labels, () => true));
  }

  matchingAmong(namespace: string, labels: Labels, isAmong: (item: T) => boolean): readonly T[] {
    const ns = this.namespaces.get(namespace);
    if (ns === undefined) return [];
    const items = new Set<T>();
    const ask = (entries: Iterable<readonly [T, readonly CompiledSelector[]]>) => {
      for (const [item, selectors] of entries)
        if (isAmong(item) && !items.has(item) && selectors.some((selector) => selector.matches(labels)))
          items.add(item);
    };
    ask(ns.rest);
    for (const key in labels) ask(ns.anchored.get(`${key}=${labels[key]}`) ?? []);
    return [...items];
  }
}
