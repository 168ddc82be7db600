import type { TopologyCounts } from './topology-counts.ts';
import type { TopologyGroup } from './topology-groups.ts';
import type { PodDomains } from './topology-spread.ts';

/** Pod affinity and anti-affinity, including inverse anti-affinity. */

/**
 * A pod that selects itself may be the first: if no domain that it may use has a matching pod yet, it may start one.
 */
export function mayBootstrap(group: TopologyGroup, counts: TopologyCounts, self: number, allowed: PodDomains): boolean {
  if (self === 0) return false;
  if (counts.populated[group.id] === 0) return true;
  if (allowed === undefined) return false;
  // Hosts of new nodes are not in the list: a pod that may be on a new node may be on any.
  if (group.domains.byHost) return !counts.hosts.hostsOf(group.id).some((host) => allowed[host] !== 0);
  return !counts.pods[group.id].some((pods, domain) => pods > 0 && allowed[domain] === 1);
}

export function affinityAdmits(
  group: TopologyGroup,
  counts: TopologyCounts,
  domain: number,
  bootstrap: boolean,
  allowed: PodDomains,
): boolean {
  if (allowed !== undefined && allowed[domain] === 0) return false;
  return counts.pods[group.id][domain] > 0 || (bootstrap && counts.knows(group.id, domain));
}

export function affinityAdmitsHost(
  group: TopologyGroup,
  counts: TopologyCounts,
  host: number,
  self: number,
  allowed: PodDomains,
): boolean {
  if (allowed !== undefined && allowed[host] === 0) return false;
  return counts.hosts.get(group.id, host) > 0 || mayBootstrap(group, counts, self, allowed);
}

export function antiAffinityAdmits(
  group: TopologyGroup,
  counts: TopologyCounts,
  domain: number,
  allowed: PodDomains,
): boolean {
  if (allowed !== undefined && allowed[domain] === 0) return false;
  return counts.pods[group.id][domain] === 0 && counts.knows(group.id, domain);
}

export function antiAffinityAdmitsHost(group: TopologyGroup, counts: TopologyCounts, host: number): boolean {
  return counts.hosts.get(group.id, host) === 0;
}
