import type { Labels } from '../cluster/objects.ts';
import type { CompiledSelector } from './label-selector.ts';

interface Entry<T> {
  readonly selector: CompiledSelector;
  readonly item: T;
}

interface Namespace<T> {
  readonly anchored: Map<string, Entry<T>[]>;
  readonly rest: Entry<T>[];
}

/**
 * Finds the selectors that match labels without testing all: a selector that requires some label=value is only tested
 * if that label is present. Results are cached per labels object.
 */
export class SelectorIndex<T> {
  private readonly namespaces = new Map<string, Namespace<T>>();
  private readonly remembered = new Map<string, Map<Labels, readonly T[]>>();

  add(namespaces: Iterable<string>, selector: CompiledSelector, item: T): void {
    this.remembered.clear();
    for (const name of namespaces) {
      let ns = this.namespaces.get(name);
      if (ns === undefined) {
        ns = { anchored: new Map(), rest: [] };
        this.namespaces.set(name, ns);
      }
      const anchor = selector.anchor?.join('=');
      if (anchor === undefined) {
        ns.rest.push({ selector, item });
      } else {
        const list = ns.anchored.get(anchor);
        if (list === undefined) ns.anchored.set(anchor, [{ selector, item }]);
        else list.push({ selector, item });
      }
    }
  }

  matching(namespace: string, labels: Labels): readonly T[] {
    const ns = this.namespaces.get(namespace);
    if (ns === undefined) return [];
    let memo = this.remembered.get(namespace);
    if (memo === undefined) {
      memo = new Map();
      this.remembered.set(namespace, memo);
    }
    let found = memo.get(labels);
    if (found === undefined) {
      const items: T[] = [];
      for (const { selector, item } of ns.rest) if (selector.matches(labels)) items.push(item);
      for (const key in labels) {
        for (const { selector, item } of ns.anchored.get(`${key}=${labels[key]}`) ?? []) {
          if (selector.matches(labels)) items.push(item);
        }
      }
      found = items;
      memo.set(labels, found);
    }
    return found;
  }
}
