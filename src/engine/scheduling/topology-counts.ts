import { addBit, type Bitset, bitset, hasBit } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { canonicalLabels, HOSTNAME } from '../cluster/well-known.ts';
import { type CarryOver, rowsOf } from './carry-over.ts';
import type { GroupId } from './group-rules.ts';
import { filterText, type NodeFilter, passesNode } from './node-filter.ts';
import { kindsOfRows } from './node-sets.ts';
import { SparseCounts } from './sparse-counts.ts';
import type { TopologyDomains } from './topology-domains.ts';
import type { TopologyGroup, TopologyGroups } from './topology-groups.ts';

/** Nodes that register a domain with a group, per domain. Groups with the same key and filter share it. */
interface Registration {
  readonly domains: TopologyDomains;
  /** undefined: every node. */
  readonly passing: Bitset | undefined;
  /** Of its first group. */
  readonly filter: NodeFilter;
  readonly nodes: Int32Array;
  /** Not for hosts, which need no registration, nor for inverse groups, which use NodePools and pods only. */
  readonly learnsFromNodes: boolean;
}

/** Current pod counts by group and domain. Simulations undo every change: `mark` before, `rollback` after. */
export class TopologyCounts {
  readonly groups: readonly TopologyGroup[];
  /** By group: pods per domain (empty for groups by host). */
  readonly pods: readonly Int32Array[];
  readonly hosts: SparseCounts;
  /** By group: number of domains with a pod. */
  readonly populated: Int32Array;
  readonly registrations: readonly Registration[];
  /** Registrations that nodes affect. */
  private readonly learning: readonly Registration[];
  private readonly registrationOf: Int32Array;
  private readonly makeableOf: readonly Uint8Array[];
  private readonly journal: number[] = [];
  /** Karpenter does not see anti-affinity of pods that run on a node without hostname label. */
  readonly hostsNeedLabel: boolean;

  /** `carried`: the same groups, and begin with the counts of the last cluster. */
  constructor(groups: TopologyGroups, rows: readonly StateNode[], hostsNeedLabel: boolean, carried?: CarryOver) {
    const last = carried?.last.counts;
    this.hostsNeedLabel = hostsNeedLabel;
    this.groups = groups.list;
    this.pods = groups.list.map((g, i) => {
      const counts = new Int32Array(g.domains.byHost ? 0 : g.domains.size);
      if (last !== undefined) counts.set(last.pods[i]);
      return counts;
    });
    this.hosts = last?.hosts.copy() ?? new SparseCounts();
    this.populated = last?.populated.slice() ?? new Int32Array(groups.list.length);
    this.makeableOf = last?.makeableOf ?? makeableDomains(groups.list);
    const shared = carried === undefined ? shareRegistrations(groups.list, rows) : undefined;
    this.registrations = shared?.registrations ?? registrationsNow(groups, rows, carried as CarryOver);
    this.registrationOf = shared?.ofGroup ?? (last as TopologyCounts).registrationOf;
    this.learning = this.registrations.filter(({ learnsFromNodes, domains }) => learnsFromNodes && domains.size > 0);
  }

  /** Whether the group knows the domain, because of a NodePool, a node or a pod in it. */
  knows(group: GroupId, domain: number): boolean {
    return (
      this.makeableOf[group][domain] === 1 ||
      this.pods[group][domain] > 0 ||
      this.registrations[this.registrationOf[group]].nodes[domain] > 0
    );
  }

  /** Whether two groups know the same domains as long as neither has a pod. */
  knowsSameDomains(a: GroupId, b: GroupId): boolean {
    return this.registrationOf[a] === this.registrationOf[b] && this.makeableOf[a] === this.makeableOf[b];
  }

  /** Whether the group counts pods on this node. */
  counts(group: GroupId, row: number): boolean {
    const { passing } = this.registrations[this.registrationOf[group]];
    return passing === undefined || hasBit(passing, row);
  }

  add(group: GroupId, domain: number, delta: number): void {
    this.change(group, domain, delta);
    this.journal.push(group, domain, delta);
  }

  /** As `add`, for good: no rollback takes it back. */
  change(group: GroupId, domain: number, delta: number): void {
    let now: number;
    if (this.groups[group].domains.byHost) now = this.hosts.add(group, domain, delta);
    else now = this.pods[group][domain] += delta;
    if (now > 0 && now <= delta) this.populated[group]++;
    else if (now <= 0 && now - delta > 0) this.populated[group]--;
  }

  /** Unregisters the node (or registers it again): domains that only it had become unknown. */
  register(row: number, delta: number): void {
    for (const { domains, passing, nodes } of this.learning) {
      const domain = domains.registers[row];
      if (domain >= 0 && (passing === undefined || hasBit(passing, row))) nodes[domain] += delta;
    }
  }

  mark(): number {
    return this.journal.length;
  }

  rollback(mark: number): void {
    const { journal } = this;
    while (journal.length > mark) {
      const delta = journal.pop() as number;
      const domain = journal.pop() as number;
      this.change(journal.pop() as number, domain, -delta);
    }
  }

  /**
   * Whether both know the same domains by their nodes, and would if any one node were removed: none, one and more than
   * one differ, more do not.
   */
  knowsAsManyNodesAs({ registrations }: TopologyCounts): boolean {
    return (
      this.registrations.length === registrations.length &&
      this.registrations.every((own, i) => {
        const other = registrations[i];
        return own.domains.key === other.domains.key && hasSameDomains(own, other) && hasSameDomains(other, own);
      })
    );
  }

  /** Whether every group knows the node's domain by a NodePool, whatever nodes there are. */
  knowsWithout(row: number): boolean {
    return this.groups.every(({ id, domains }) => {
      const domain = domains.byHost ? -1 : domains.registers[row];
      return domain < 0 || this.makeableOf[id][domain] === 1;
    });
  }
}

function hasSameDomains(a: Registration, b: Registration): boolean {
  return (
    a.domains.byHost ||
    a.domains.names.every((name, domain) => {
      const there = b.domains.find(name);
      return Math.min(2, a.nodes[domain] ?? 0) === Math.min(2, there === undefined ? 0 : (b.nodes[there] ?? 0));
    })
  );
}

function shareRegistrations(
  groups: readonly TopologyGroup[],
  rows: readonly StateNode[],
): { registrations: Registration[]; ofGroup: Int32Array } {
  const registrations: Registration[] = [];
  const byText = new Map<string, number>();
  const passingRows = new PassingRows(groups, rows);
  const ofGroup = new Int32Array(groups.length);
  for (const group of groups) {
    const learnsFromNodes = !group.inverse && !group.domains.byHost;
    const key = `${group.domains.key}\u0001${group.inverse ? 'inverse' : ''}\u0001${group.everyNode ? '' : filterText(group.filter)}`;
    let id = byText.get(key);
    if (id === undefined) {
      const passing = group.everyNode ? undefined : passingRows.of(group.filter);
      const { domains, filter } = group;
      id = registrations.push(registered({ domains, filter, passing, learnsFromNodes }, rows)) - 1;
      byText.set(key, id);
    }
    ofGroup[group.id] = id;
  }
  return { registrations, ofGroup };
}

/** The registrations of the last cluster over these rows. */
function registrationsNow(
  { keys }: TopologyGroups,
  rows: readonly StateNode[],
  carried: CarryOver,
): readonly Registration[] {
  const { registrations } = carried.last.counts;
  if (carried.hasSameRows) return registrations;
  return registrations.map(({ domains, passing, filter, learnsFromNodes }) =>
    registered(
      {
        domains: keys.get(domains.key) as TopologyDomains,
        filter,
        passing: passing && rowsOf(passing, carried, (row) => passes(filter, rows[row])),
        learnsFromNodes,
      },
      rows,
    ),
  );
}

function registered(own: Omit<Registration, 'nodes'>, rows: readonly StateNode[]): Registration {
  const { domains, passing, learnsFromNodes } = own;
  const nodes = new Int32Array(domains.byHost ? 0 : domains.size);
  for (let row = 0; row < rows.length && learnsFromNodes; row++) {
    const domain = domains.registers[row];
    const { node, tracked, deleting } = rows[row];
    if (domain < 0 || node === undefined || !tracked || deleting) continue;
    if (passing === undefined || hasBit(passing, row)) nodes[domain]++;
  }
  return { ...own, nodes };
}

function passes(filter: NodeFilter, row: StateNode): boolean {
  const { selectable, taints } = asWritten(row);
  return passesNode(filter, selectable, taints);
}

/** Filters of spreads, over nodes of which many are alike. */
class PassingRows {
  private readonly rows: readonly StateNode[];
  private readonly groups: readonly TopologyGroup[];
  private kinds: ReturnType<typeof kindsOfRows> | undefined;

  constructor(groups: readonly TopologyGroup[], rows: readonly StateNode[]) {
    this.groups = groups;
    this.rows = rows;
  }

  of(filter: NodeFilter): Bitset {
    const { rows } = this;
    const set = bitset(rows.length);
    if (filter.terms.some((term) => term.has(HOSTNAME))) {
      for (let row = 0; row < rows.length; row++) if (passes(filter, rows[row])) addBit(set, row);
      return set;
    }
    this.kinds ??= kindsOfRows(rows, this.keys(), asWritten);
    const { ofRow, example } = this.kinds;
    const passing = example.map((row) => passes(filter, rows[row]));
    for (let row = 0; row < rows.length; row++) if (passing[ofRow[row]]) addBit(set, row);
    return set;
  }

  private keys(): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const { filter } of this.groups) for (const term of filter.terms) for (const key of term.keys()) keys.add(key);
    keys.delete(HOSTNAME);
    return keys;
  }
}

/** Labels and taints of the Node object, if there is one. */
function asWritten({ node, labels, selectable, taints }: StateNode): Pick<StateNode, 'selectable' | 'taints'> {
  if (node === undefined) return { selectable, taints };
  return { selectable: node.labels === labels ? selectable : canonicalLabels(node.labels), taints: node.taints };
}

function makeableDomains(groups: readonly TopologyGroup[]): Uint8Array[] {
  const shared = new Map<string, Uint8Array>();
  return groups.map((g) => {
    const text = `${g.domains.key}\u0001${g.makeableFor === undefined ? '' : JSON.stringify(g.makeableFor)}`;
    return getOrInsert(shared, text, () => (g.domains.byHost ? new Uint8Array(0) : g.domains.makeable(g.makeableFor)));
  });
}
