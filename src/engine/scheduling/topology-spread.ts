import type { TopologyCounts } from './topology-counts.ts';
import type { TopologyGroup } from './topology-groups.ts';

/**
 * Topology spread is decided here: may one more pod go to a domain without the domain getting more
 * than maxSkew pods ahead of the emptiest one?
 */

/** Domains that the pod itself may be in, by its strict requirements; undefined: all of them. */
export type PodDomains = Uint8Array | undefined;

/**
 * The emptiest domain's count. Only domains that the pod may be in are looked at; if there are fewer
 * of them than minDomains, a domain that does not exist yet counts as empty.
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

/** `self`: 1 if the pod is itself one of those counted. */
export function spreadAdmits(
  group: TopologyGroup,
  counts: TopologyCounts,
  domain: number,
  self: number,
  lowest: number,
): boolean {
  return counts.knows(group.id, domain) && counts.pods[group.id][domain] + self - lowest <= group.maxSkew;
}

/** On hosts the emptiest one always has none: a new one can be made. */
export function spreadAdmitsHost(group: TopologyGroup, counts: TopologyCounts, host: number, self: number): boolean {
  return counts.hosts.get(group.id, host) + self <= group.maxSkew;
}

/**
 * For a new node: `home` if it may be there, else the emptiest of the domains that it may be in; -1 if none is admitted.
 * SharedConstraints go to the first name.
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
