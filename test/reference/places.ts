import type { PodObject } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, HOSTNAME, ZONE } from '../../src/engine/cluster/well-known.ts';
import { isAllowed, type NewNode } from './outcome.ts';
import type { Host } from './world.ts';

/** Where a pod is, seen as a member of topology domains. The label of a new node may still be open. */
export interface Place {
  readonly name: string;
  /** Values that the label may have; none if the node lacks it. */
  possible(key: string): ReadonlySet<string>;
  /** The value, if it is settled. */
  certain(key: string): string | undefined;
  readonly host?: Host;
  readonly newNode?: NewNode;
}

export interface Located {
  readonly pod: PodObject;
  readonly place: Place;
  /** It has just been placed; else it runs there. */
  readonly moved: boolean;
}

/** A pod that terminates where it runs is as good as gone; one that terminates and is placed anew comes back. */
export function isStaying({ pod, moved }: Located): boolean {
  return moved || !pod.terminating;
}

export function placeOfHost(host: Host): Place {
  const certain = (key: string) => host.labels[key];
  return {
    name: host.name,
    host,
    certain,
    possible: (key) => new Set(host.labels[key] === undefined ? [] : [host.labels[key]]),
  };
}

export function placeOfNewNode(newNode: NewNode): Place {
  const possible = (key: string): ReadonlySet<string> => {
    if (key === HOSTNAME) return new Set([newNode.name]);
    const allowed = newNode.labels.get(key);
    if (allowed !== undefined && !allowed.complement) return allowed.values;
    return key === ZONE || key === CAPACITY_TYPE ? offered(newNode, key) : new Set();
  };
  const certain = (key: string) => {
    const allowed = newNode.labels.get(key);
    if (key === HOSTNAME) return newNode.name;
    return allowed !== undefined && !allowed.complement && allowed.values.size === 1
      ? [...allowed.values][0]
      : undefined;
  };
  return { name: newNode.name, newNode, possible, certain };
}

function offered(newNode: NewNode, key: string): Set<string> {
  const values = newNode.types.flatMap((t) =>
    t.offerings
      .filter((o) => o.available)
      .flatMap((o) => o.requirements.filter((r) => r.key === key).flatMap((r) => r.values ?? [])),
  );
  return new Set(values.filter((v) => isAllowed(newNode.labels.get(key), v)));
}

/** Both are in one domain of the key, whatever is still to be settled. */
export function surelyTogether(a: Place, b: Place, key: string): boolean {
  if (a === b) return a.possible(key).size > 0;
  const value = a.certain(key);
  return value !== undefined && value === b.certain(key);
}

export function possiblyTogether(a: Place, b: Place, key: string): boolean {
  if (a === b) return true;
  return [...a.possible(key)].some((value) => b.possible(key).has(value));
}
