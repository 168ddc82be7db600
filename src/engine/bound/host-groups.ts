import { addBit, type Bitset, bitset } from '../cluster/bitset.ts';
import { fits, type HostGroup, type PodClass } from './packing.ts';
import { greatestCommonDivisor } from './unit-table.ts';

/** A host, before it is known which others are the same. */
export interface Host {
  readonly price: number;
  readonly count: number;
  readonly capacity: Float64Array;
  /** Classes that may run here, whether or not they fit, ascending. Hosts with the same classes share the array. */
  readonly classes: readonly number[];
}

/** Ratios of neighbouring rungs, finest first, on which room is rounded up when there are too many groups. */
const LADDERS = [1.02, 1.05, 1.1, 1.2, 1.5, 2, 4];

/**
 * Hosts of which there are only so many, grouped; at most about `limit` groups, if need be by merging those whose room is much alike.
 * A merged group has the most of each resource that any of its hosts has: what was a packing still is.
 */
export function groupHosts(hosts: readonly Host[], classes: readonly PodClass[], limit: number): HostGroup[] {
  const trimmed = hosts.map((host) => trim(host, classes)).filter((host) => host !== undefined);
  let groups = groupBy(trimmed, (amount) => amount);
  for (const ratio of LADDERS) {
    if (groups.length <= limit) break;
    groups = groupBy(trimmed, (amount) => (amount > 0 ? Math.ceil(Math.log(amount) / Math.log(ratio)) : -1));
  }
  return groups.map((host) => ({ ...host, classes: fitting(host, classes) }));
}

/** Nodes that can be launched as often as one likes, less those that another is better than in every way. */
export function groupLaunches(launches: readonly Host[], classes: readonly PodClass[]): HostGroup[] {
  const kept: Masked[] = [];
  for (const launch of [...launches].sort((a, b) => a.price - b.price)) {
    const own = trim(launch, classes);
    if (own === undefined) continue;
    const group = masked({ ...own, classes: fitting(own, classes) }, classes.length);
    if (!kept.some((better) => serves(better, group))) kept.push(group);
  }
  return kept.map(({ group }) => group);
}

/** The groups less those that an endless one is better than in every way. */
export function withoutServed(
  groups: readonly HostGroup[],
  endless: readonly HostGroup[],
  classes: number,
): HostGroup[] {
  const better = endless.map((group) => masked(group, classes));
  return groups.filter((group) => {
    const own = masked(group, classes);
    return !better.some((other) => serves(other, own));
  });
}

/** A group with its classes as a set. */
interface Masked {
  readonly group: HostGroup;
  readonly mask: Bitset;
}

function masked(group: HostGroup, classes: number): Masked {
  const mask = bitset(classes);
  for (const c of group.classes) addBit(mask, c);
  return { group, mask };
}

/** Whatever fits on `other` fits on the endless `group`, which costs no more. */
function serves({ group, mask }: Masked, other: Masked): boolean {
  if (group.price > other.group.price || !fits(other.group.capacity, group.capacity)) return false;
  for (let w = 0; w < mask.length; w++) if ((other.mask[w] & ~mask[w]) !== 0) return false;
  return true;
}

/**
 * With no more room than its pods could use: no more than they ask for all together, and only multiples of what
 * divides all their requests. undefined if none fits.
 */
function trim(host: Host, classes: readonly PodClass[]): Host | undefined {
  const asked = new Float64Array(host.capacity.length);
  const unit = new Float64Array(host.capacity.length);
  let any = false;
  for (const c of host.classes) {
    const { amounts, pods } = classes[c];
    if (!fits(amounts, host.capacity)) continue;
    any = true;
    for (let d = 0; d < asked.length; d++) {
      asked[d] += pods * amounts[d];
      unit[d] = greatestCommonDivisor(unit[d], amounts[d]);
    }
  }
  if (!any) return undefined;
  const capacity = host.capacity.map((amount, d) =>
    Math.min(asked[d], unit[d] > 0 ? Math.floor(amount / unit[d]) * unit[d] : 0),
  );
  return { ...host, capacity };
}

function fitting(host: Host, classes: readonly PodClass[]): number[] {
  return host.classes.filter((c) => fits(classes[c].amounts, host.capacity));
}

function groupBy(hosts: readonly Host[], rung: (amount: number) => number): Host[] {
  const groups = new Map<string, Host>();
  const ids = new Map<readonly number[], number>();
  for (const host of hosts) {
    const id = ids.get(host.classes) ?? ids.size;
    ids.set(host.classes, id);
    const key = `${host.price};${id};${Array.from(host.capacity, rung).join()}`;
    const group = groups.get(key);
    groups.set(key, group === undefined ? host : merge(group, host));
  }
  return [...groups.values()];
}

function merge(a: Host, b: Host): Host {
  const capacity = a.capacity.map((amount, d) => Math.max(amount, b.capacity[d]));
  return { ...a, count: a.count + b.count, capacity };
}
