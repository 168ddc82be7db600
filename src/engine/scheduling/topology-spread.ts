import type { TopologyCounts } from './topology-counts.ts';
import type { TopologyGroup } from './topology-groups.ts';

/** Topology spread: whether one more pod may go to a domain without exceeding maxSkew over the emptiest one. */

/** Domains that the pod itself may use, by its strict requirements; undefined: all. */
export type PodDomains = Uint8Array | undefined;

/**
 * The lowest count of the domains that the pod may use; if there are fewer of them than minDomains, a missing domain
 * counts as empty.
 */
export function lowestCount(group: TopologyGroup, counts: TopologyCounts, allowed: PodDomains): number {
  const pods = counts.pods[group.id];
  let lowest = Infinity;
  let domains = 0;
  for (let d = 0; d < pods.length; d++) {
    if ((allowed !== undefined && allowed[d] === 0) || !counts.knows(group.id, d)) continue;
    domains++;
    if (pods[d] < lowest) lowest = pods[d];
  }
  return domains < group.minDomains ? 0 : lowest;
}

/** `self`: 1 if the group counts the pod itself. */
export function spreadAdmits(
  group: TopologyGroup,
  counts: TopologyCounts,
  domain: number,
  self: number,
  lowest: number,
): boolean {
  return counts.knows(group.id, domain) && counts.pods[group.id][domain] + self - lowest <= group.maxSkew;
}

/** For hosts the lowest count is always 0: a new one is possible. */
export function spreadAdmitsHost(group: TopologyGroup, counts: TopologyCounts, host: number, self: number): boolean {
  return counts.hosts.get(group.id, host) + self <= group.maxSkew;
}

/**
 * For a new node: `home` if allowed, else the emptiest of the allowed domains; -1 if none is admitted. Ties go to the
 * first name.
 */
export function spreadChoice(
  group: TopologyGroup,
  counts: TopologyCounts,
  self: number,
  allowed: PodDomains,
  mayBeIn: (domain: number) => boolean,
  home: number,
): number {
  const lowest = lowestCount(group, counts, allowed);
  if (home >= 0 && mayBeIn(home) && spreadAdmits(group, counts, home, self, lowest)) return home;
  const pods = counts.pods[group.id];
  const { names } = group.domains;
  let best = -1;
  for (let d = 0; d < pods.length; d++) {
    if (!mayBeIn(d) || !spreadAdmits(group, counts, d, self, lowest)) continue;
    if (best < 0 || pods[d] < pods[best] || (pods[d] === pods[best] && names[d] < names[best])) best = d;
  }
  return best;
}
