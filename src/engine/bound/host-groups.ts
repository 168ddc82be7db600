import { addBit, type Bitset, bitset } from '../cluster/bitset.ts';
import type { PodClass } from './moving-pods.ts';
import { fitsInto, type HostGroup } from './packing.ts';
import type { Charges } from './pool-charges.ts';

/** A host before grouping. */
export interface Host {
  readonly price: number;
  readonly count: number;
  readonly capacity: Float64Array;
  readonly zone: string;
  readonly charges: Charges;
  /** Classes that may run here, whether or not they fit, ascending. Hosts with the same classes share the array. */
  readonly classes: readonly number[];
}

/** Groups hosts of limited number. */
export function groupHosts(hosts: readonly Host[], classes: readonly PodClass[]): HostGroup[] {
  const groups = new Map<string, Host>();
  const ids = new Map<readonly number[], number>();
  for (const host of hosts) {
    const own = trim(host, classes);
    if (own === undefined) continue;
    const id = ids.get(own.classes) ?? ids.size;
    ids.set(own.classes, id);
    const key = `${own.price};${id};${own.zone};${own.capacity.join()}`;
    const group = groups.get(key);
    groups.set(key, group === undefined ? own : { ...group, count: group.count + own.count });
  }
  return [...groups.values()].map((host) => ({ ...host, classes: fitting(host, classes) }));
}

/** Groups launchable nodes of unlimited number, without those that another dominates. */
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

/** The groups without those that an unlimited one dominates. */
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

function chargeOf({ charges }: HostGroup, limit: number): number {
  return charges.find(([own]) => own === limit)?.[1] ?? -1;
}

/** Everything that fits on `other` fits on the unlimited `group` in the same zone, which costs no more, of limits of pools neither. */
function serves({ group, mask }: Masked, other: Masked): boolean {
  if (group.price > other.group.price || group.zone !== other.group.zone) return false;
  if (!group.charges.every(([limit, amount]) => chargeOf(other.group, limit) >= amount)) return false;
  if (!fitsInto(other.group.capacity, group.capacity)) return false;
  for (let w = 0; w < mask.length; w++) if ((other.mask[w] & ~mask[w]) !== 0) return false;
  return true;
}

/**
 * Reduces the capacity to what its pods could use: at most the sum of their requests, and only multiples of a common
 * divisor of the requests. undefined if no pod fits.
 */
function trim(host: Host, classes: readonly PodClass[]): Host | undefined {
  const asked = new Float64Array(host.capacity.length);
  const unit = new Float64Array(host.capacity.length);
  let any = false;
  for (const c of host.classes) {
    const { amounts, pods } = classes[c];
    if (!fitsInto(amounts, host.capacity)) continue;
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
  return host.classes.filter((c) => fitsInto(classes[c].amounts, host.capacity));
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
