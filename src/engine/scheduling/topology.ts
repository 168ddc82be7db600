import type { Bitset } from '../cluster/bitset.ts';
import { admits, oneOf } from '../selection/requirement.ts';
import { INCOMPATIBLE, type RequirementSpace, type RequirementsId } from '../selection/requirement-space.ts';
import { intersectAll } from '../selection/requirements.ts';
import type { Membership } from './compiled-cluster.ts';
import type { GroupId } from './group-rules.ts';
import {
  affinityAdmits,
  affinityAdmitsHost,
  antiAffinityAdmits,
  antiAffinityAdmitsHost,
  mayBootstrap,
} from './pod-affinity.ts';
import type { TopologyCounts } from './topology-counts.ts';
import type { TopologyDomains } from './topology-domains.ts';
import type { TopologyGroup } from './topology-groups.ts';
import { lowestCount, type PodDomains, spreadAdmits, spreadAdmitsHost, spreadChoice } from './topology-spread.ts';

/** A pod's topology query: the groups it must respect now, and those that count it. */
export interface TopologyQuestion {
  readonly byHost: readonly GroupId[];
  readonly byDomain: readonly GroupId[];
  readonly strict: RequirementsId;
  readonly membership: Membership;
  /** Of a new node's possible domains, this row's is preferred to the one with the fewest pods; -1 for none. */
  readonly home?: number;
}

/** Every row qualifies; no mask is needed. */
const ALL_ROWS = 'all';
/** No row qualifies. */
const NO_ROW = 'none';
/** From here on, comparing groups is cheaper than asking each. */
const MANY_GROUPS = 16;

/** Queries all groups of a pod at once: for existing nodes, a host, or a new node. */
export class Topology {
  readonly counts: TopologyCounts;
  private readonly groups: readonly TopologyGroup[];
  private readonly space: RequirementSpace;
  private readonly podDomains = new Map<TopologyDomains, Map<RequirementsId, PodDomains>>();
  private readonly picks = new Map<TopologyDomains, Map<string, RequirementsId>>();
  private readonly complete = new Map<TopologyDomains, boolean>();

  constructor(counts: TopologyCounts, space: RequirementSpace) {
    this.counts = counts;
    this.groups = counts.groups;
    this.space = space;
  }

  /** Domains of the key that the pod's strict requirements allow. */
  allowedDomains(domains: TopologyDomains, strict: RequirementsId): PodDomains {
    if (strict === 0) return undefined;
    let byId = this.podDomains.get(domains);
    if (byId === undefined) {
      byId = new Map();
      this.podDomains.set(domains, byId);
    }
    if (byId.has(strict)) return byId.get(strict);
    const r = this.space.require(strict, domains.key);
    const allowed = r === undefined ? undefined : Uint8Array.from(domains.names, (name) => (admits(r, name) ? 1 : 0));
    byId.set(strict, allowed);
    return allowed;
  }

  private self(group: GroupId, membership: Membership): number {
    return membership.counted.includes(group) ? 1 : 0;
  }

  /**
   * Whether the groups by host admit the pod on this host, which is a domain of the hostname key, or beyond for new
   * nodes.
   */
  hostAdmits(q: TopologyQuestion, host: number): boolean {
    for (const g of q.byHost) if (!this.groupAdmitsHost(g, q, host)) return false;
    for (const g of q.membership.repelledByHost)
      if (!antiAffinityAdmitsHost(this.groups[g], this.counts, host)) return false;
    return true;
  }

  groupAdmitsHost(g: GroupId, q: TopologyQuestion, host: number): boolean {
    const group = this.groups[g];
    switch (group.kind) {
      case 'spread':
        return spreadAdmitsHost(group, this.counts, host, this.self(g, q.membership));
      case 'affinity':
        return affinityAdmitsHost(
          group,
          this.counts,
          host,
          this.self(g, q.membership),
          this.allowedDomains(group.domains, q.strict),
        );
      case 'anti-affinity':
        return antiAffinityAdmitsHost(group, this.counts, host);
    }
  }

  /** For existing nodes: the domains of the group's key that it admits. */
  admittedDomains(g: GroupId, q: TopologyQuestion): Uint8Array {
    const group = this.groups[g];
    const { counts } = this;
    const size = group.domains.size;
    const admitted = new Uint8Array(size);
    const allowed = this.allowedDomains(group.domains, q.strict);
    const self = this.self(g, q.membership);
    if (group.kind === 'spread') {
      const lowest = lowestCount(group, counts, allowed);
      for (let d = 0; d < size; d++) if (spreadAdmits(group, counts, d, self, lowest)) admitted[d] = 1;
    } else if (group.kind === 'affinity') {
      const bootstrap = mayBootstrap(group, counts, self, allowed);
      for (let d = 0; d < size; d++) if (affinityAdmits(group, counts, d, bootstrap, allowed)) admitted[d] = 1;
    } else {
      for (let d = 0; d < size; d++) if (antiAffinityAdmits(group, counts, d, allowed)) admitted[d] = 1;
    }
    return admitted;
  }

  /** Rows in domains that the group admits. */
  admittedRows(g: GroupId, q: TopologyQuestion): Bitset | typeof ALL_ROWS | typeof NO_ROW {
    const { domains } = this.groups[g];
    const admitted = this.admittedDomains(g, q);
    if (!admitted.includes(1)) return NO_ROW;
    if (!admitted.includes(0) && this.everyRowHasDomain(domains)) return ALL_ROWS;
    return domains.rowsIn(admitted);
  }

  /** Of these groups one per answer: anti-affinity groups without pods that know the same domains answer the same. */
  distinct(groups: readonly GroupId[]): readonly GroupId[] {
    if (groups.length < MANY_GROUPS) return groups;
    let empty: GroupId | undefined;
    return groups.filter((g) => {
      if (this.groups[g].kind !== 'anti-affinity' || this.counts.populated[g] > 0) return true;
      if (empty !== undefined && this.counts.knowsSameDomains(g, empty)) return false;
      empty = g;
      return true;
    });
  }

  everyRowHasDomain(domains: TopologyDomains): boolean {
    let known = this.complete.get(domains);
    if (known === undefined) {
      known = domains.ofRow.every((d) => d >= 0);
      this.complete.set(domains, known);
    }
    return known;
  }

  /** For a new node (or one with open labels): `base` narrowed to what all groups by domain allow. */
  narrow(q: TopologyQuestion, base: RequirementsId, existing: boolean): RequirementsId {
    let narrowed = base;
    for (const g of this.distinct(q.byDomain)) {
      const pick = this.pick(g, q, base);
      if (pick === INCOMPATIBLE) return INCOMPATIBLE;
      narrowed = this.space.intersect(narrowed, pick);
    }
    for (const g of this.distinct(q.membership.repelledByDomain)) {
      const pick = this.pick(g, q, base);
      if (pick === INCOMPATIBLE) return INCOMPATIBLE;
      narrowed = this.space.intersect(narrowed, pick);
    }
    if (narrowed === base) return base;
    return existing ? this.space.narrowExisting(base, narrowed) : this.space.narrow(base, narrowed);
  }

  /** The domains that one group allows a node with these requirements, as a requirement. */
  private pick(g: GroupId, q: TopologyQuestion, base: RequirementsId): RequirementsId {
    const group = this.groups[g];
    const { domains } = group;
    const { counts } = this;
    const node = this.space.require(base, domains.key);
    const mayBeIn = (d: number) => node === undefined || admits(node, domains.names[d]);
    const allowed = this.allowedDomains(domains, q.strict);
    const self = this.self(g, q.membership);
    const chosen: number[] = [];
    if (group.kind === 'spread') {
      const home = q.home === undefined || q.home < 0 ? -1 : domains.ofRow[q.home];
      const d = spreadChoice(group, counts, self, allowed, mayBeIn, home);
      if (d >= 0) chosen.push(d);
    } else if (group.kind === 'affinity') {
      const bootstrap = mayBootstrap(group, counts, self, allowed);
      for (let d = 0; d < domains.size; d++)
        if (mayBeIn(d) && affinityAdmits(group, counts, d, bootstrap, allowed)) chosen.push(d);
      // The first pod starts one domain, not several.
      if (bootstrap && chosen.length > 1)
        chosen.splice(
          0,
          chosen.length,
          chosen.reduce((a, b) => (domains.names[b] < domains.names[a] ? b : a)),
        );
    } else {
      for (let d = 0; d < domains.size; d++)
        if (mayBeIn(d) && antiAffinityAdmits(group, counts, d, allowed)) chosen.push(d);
    }
    return chosen.length === 0 ? INCOMPATIBLE : this.oneOf(domains, chosen);
  }

  private oneOf(domains: TopologyDomains, chosen: readonly number[]): RequirementsId {
    let byText = this.picks.get(domains);
    if (byText === undefined) {
      byText = new Map();
      this.picks.set(domains, byText);
    }
    const text = chosen.join();
    let id = byText.get(text);
    if (id === undefined) {
      id = this.space.intern(
        intersectAll([
          oneOf(
            domains.key,
            chosen.map((d) => domains.names[d]),
          ),
        ]),
      );
      byText.set(text, id);
    }
    return id;
  }
}
