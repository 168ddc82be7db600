import { addBit, type Bitset, bitset, uniteInto } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { labelOf, type Taint, type Toleration } from '../cluster/objects.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { intersection, operatorOf, type Requirement } from '../selection/requirement.ts';
import { toleratesAll } from '../selection/taints.ts';
import type { InstanceTypes } from './instance-types.ts';
import type { Template } from './templates.ts';

/** Sets of nodes are kept for keys with at most this many domains, zones for example: 1,024 sets at most. */
const KEPT_DOMAINS = 10;

/**
 * The numbered values of one topology key: on nodes, possible through NodePools and instance types, and in pods'
 * requirements.
 */
export class TopologyDomains {
  readonly key: string;
  /** For kubernetes.io/hostname: every node is a domain, and new ones are always possible. */
  readonly byHost: boolean;
  names: string[];
  /** Domain of each state node by its effective labels, -1 without the label. */
  readonly ofRow: Int32Array;
  /** Domain that each state node registers, by its labels as written; -1 for none. */
  readonly registers: Int32Array;
  /** Domain of each state node by its Node object, used to count running pods; -1 for none. */
  readonly ofNode: Int32Array;
  private ids: Map<string, number>;
  /** Names and their numbers are those of another object, until a new one comes. */
  private sharesNames: boolean;
  /** For domains that a NodePool could create: the taint sets under which it would. */
  private readonly makers: Map<number, (readonly Taint[])[]>;
  /** Rows by the domains that they are in, one bit each. */
  private readonly unions = new Map<number, Bitset>();

  /** `last`: those of an earlier cluster with the same NodePools; its domains keep their numbers. */
  constructor(
    key: string,
    rows: readonly StateNode[],
    last?: { readonly domains: TopologyDomains; readonly rowBefore: Int32Array },
  ) {
    this.key = key;
    this.byHost = key === HOSTNAME;
    this.names = last?.domains.names ?? [];
    this.ids = last?.domains.ids ?? new Map();
    this.makers = last?.domains.makers ?? new Map();
    this.sharesNames = last !== undefined;
    this.ofRow = new Int32Array(rows.length);
    this.registers = new Int32Array(rows.length);
    this.ofNode = new Int32Array(rows.length);
    for (let row = 0; row < rows.length; row++) {
      const before = last?.rowBefore[row] ?? -1;
      if (last !== undefined && before >= 0) {
        this.ofRow[row] = last.domains.ofRow[before];
        this.registers[row] = last.domains.registers[before];
        this.ofNode[row] = last.domains.ofNode[before];
        continue;
      }
      const { labels, selectable, node, hostname } = rows[row];
      this.ofRow[row] = this.byHost ? this.idOf(hostname) : this.idOrNone(labelOf(selectable, key));
      this.registers[row] = this.idOrNone(labelOf(labels, key));
      if (node === undefined) this.ofNode[row] = -1;
      else if (node.labels === labels && !this.byHost) this.ofNode[row] = this.registers[row];
      else this.ofNode[row] = this.idOrNone(labelOf(node.labels, key) ?? (this.byHost ? node.name : undefined));
    }
  }

  get size(): number {
    return this.names.length;
  }

  idOf(name: string): number {
    const known = this.ids.get(name);
    if (known !== undefined) return known;
    if (this.sharesNames) {
      this.names = [...this.names];
      this.ids = new Map(this.ids);
      this.sharesNames = false;
    }
    this.ids.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  find(name: string): number | undefined {
    return this.ids.get(name);
  }

  private idOrNone(name: string | undefined): number {
    return name === undefined ? -1 : this.idOf(name);
  }

  /**
   * Adds what the NodePools could create: every value allowed by a pool's and an instance type's requirements, and
   * every value that a pool lists itself.
   */
  addMakeable(templates: readonly Template[], types: InstanceTypes): void {
    const variants = types.variants(this.key);
    const described = bitset(types.count);
    for (const variant of variants) uniteInto(described, variant.types);
    const someTypeIsSilent = described.some((word, w) => word !== types.all[w]);
    for (const template of templates) {
      const own = template.declared.get(this.key);
      for (const variant of variants)
        this.make(own === undefined ? variant.requirement : intersection(variant.requirement, own), template.taints);
      // For types without the key, Karpenter takes the pool's values as they are, including those of NotIn.
      if (own !== undefined && (someTypeIsSilent || operatorOf(own) === 'In')) this.make(own, template.taints);
    }
  }

  private make(requirement: Requirement, taints: readonly Taint[]): void {
    for (const name of requirement.values) {
      const id = this.idOf(name);
      const sets = this.makers.get(id);
      if (sets === undefined || taints.length === 0) this.makers.set(id, [taints]);
      else if (sets[0].length > 0) sets.push(taints);
    }
  }

  /** Domains that a NodePool could create for a pod with these tolerations; undefined: ignore taints. */
  makeable(tolerations: readonly Toleration[] | undefined): Uint8Array {
    const out = new Uint8Array(this.size);
    for (const [id, sets] of this.makers) {
      if (tolerations === undefined || sets.some((taints) => toleratesAll(taints, tolerations))) out[id] = 1;
    }
    return out;
  }

  /** Rows in these domains; not to be changed. */
  rowsIn(domains: Uint8Array): Bitset {
    if (domains.length > KEPT_DOMAINS) return this.inAny(domains);
    let key = 0;
    for (let d = 0; d < domains.length; d++) key |= domains[d] << d;
    return getOrInsert(this.unions, key, () => this.inAny(domains));
  }

  private inAny(domains: Uint8Array): Bitset {
    const { ofRow } = this;
    const set = bitset(ofRow.length);
    for (let row = 0; row < ofRow.length; row++) if (ofRow[row] >= 0 && domains[ofRow[row]] === 1) addBit(set, row);
    return set;
  }
}
