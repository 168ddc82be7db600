import {
  type LabelSelector,
  type Labels,
  labelOf,
  type NamespaceObject,
  type PodAffinityTerm,
  type PodConstraints,
  type PodObject,
  type TopologySpread,
} from '../cluster/objects.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { type CompiledSelector, compileSelector, selectorText } from '../selection/label-selector.ts';
import { SelectorIndex } from '../selection/selector-index.ts';
import { EVERY_NODE, filterText, type NodeFilter, passesAll, spreadFilter } from './node-filter.ts';

export type GroupKind = 'spread' | 'affinity' | 'anti-affinity';
export type GroupId = number;

/**
 * Pods counted by domain: how many pods that a selector selects run in each zone (or on each host, or
 * rack). Pods with the same constraint share a group. An *inverse* group counts the pods that have an
 * anti-affinity term, to keep the pods that the term selects away from them.
 */
export interface GroupRule {
  readonly id: GroupId;
  readonly kind: GroupKind;
  readonly inverse: boolean;
  /** Topology key. */
  readonly key: string;
  /** Every host is a domain of its own. */
  readonly byHost: boolean;
  readonly namespaces: ReadonlySet<string>;
  /** Whom the constraint is about. */
  readonly selector: CompiledSelector;
  /** Whom running pods are counted by: as `selector`, but without a selector everybody counts. */
  readonly counted: CompiledSelector;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly filter: NodeFilter;
  readonly everyNode: boolean;
  /** Tolerations of the pod that the group was made for: which domains NodePools could make for it. */
  readonly makeableFor: PodConstraints['tolerations'] | undefined;
}

const NO_SKEW_LIMIT = 2 ** 31 - 1;

/** What pods' constraints count, each once. Nodes do not come into it, so that it outlives them. */
export class GroupRules {
  readonly list: GroupRule[] = [];
  private readonly byIdentity = new Map<string, GroupId>();
  private readonly selecting = new SelectorIndex<GroupId>();
  private readonly counting = new SelectorIndex<GroupId>();
  private readonly namespaces: readonly NamespaceObject[];
  private readonly compat: boolean;

  constructor(namespaces: readonly NamespaceObject[], compat: boolean) {
    this.namespaces = namespaces;
    this.compat = compat;
  }

  /** Groups that a pod has to respect when its constraints are down to these. */
  ownedBy(c: PodConstraints, pod: PodObject, respectPreferences: boolean): GroupId[] {
    const { namespace } = pod;
    // What a pod comes to tolerate while it gives up preferences makes no other group of its affinity.
    const { tolerations } = pod.constraints;
    const owned: GroupId[] = [];
    for (const spread of c.topologySpread) {
      if (respectPreferences || spread.whenUnsatisfiable === 'DoNotSchedule')
        owned.push(this.spread(spread, this.minDomainsOf(spread, pod, respectPreferences), c, pod));
    }
    const soft = <T>(list: readonly { readonly term: T }[]) => (respectPreferences ? list.map((w) => w.term) : []);
    for (const term of [...c.requiredAffinity, ...soft(c.preferredAffinity)])
      owned.push(this.affinity('affinity', term, tolerations, namespace, false));
    for (const term of [...c.requiredAntiAffinity, ...soft(c.preferredAntiAffinity)])
      owned.push(this.affinity('anti-affinity', term, tolerations, namespace, false));
    return [...new Set(owned)];
  }

  /** Inverse groups that count a pod with these constraints. Preferences never repel others. */
  repellingFor(c: PodConstraints, namespace: string): GroupId[] {
    return [
      ...new Set(
        c.requiredAntiAffinity.map((term) => this.affinity('anti-affinity', term, c.tolerations, namespace, true)),
      ),
    ];
  }

  /** Groups whose constraint is about a pod with these labels. */
  about(namespace: string, labels: Labels): readonly GroupId[] {
    return this.selecting.matching(namespace, labels);
  }

  /** Groups that count a running pod with these labels (inverse groups count their owners instead). */
  countingRunning(namespace: string, labels: Labels): readonly GroupId[] {
    return this.counting.matching(namespace, labels);
  }

  private spread(s: TopologySpread, minDomains: number, c: PodConstraints, { namespace, labels }: PodObject): GroupId {
    return this.intern({
      kind: 'spread',
      inverse: false,
      key: s.topologyKey,
      namespaces: new Set([namespace]),
      selector: withMatchLabelKeys(s, labels),
      maxSkew: s.maxSkew,
      minDomains,
      filter: spreadFilter(c, s.nodeAffinityPolicy ?? 'Honor', s.nodeTaintsPolicy ?? 'Ignore'),
      makeableFor: (s.nodeTaintsPolicy ?? 'Ignore') === 'Ignore' ? undefined : c.tolerations,
    });
  }

  /** Karpenter takes two constraints of a pod for one if they differ in minDomains alone: the first of them counts. */
  private minDomainsOf(s: TopologySpread, { constraints, labels }: PodObject, respectPreferences: boolean): number {
    if (!this.compat) return s.minDomains ?? 0;
    const identity = (x: TopologySpread) =>
      JSON.stringify([
        x.topologyKey,
        x.maxSkew,
        x.nodeAffinityPolicy ?? 'Honor',
        x.nodeTaintsPolicy ?? 'Ignore',
        selectorText(withMatchLabelKeys(x, labels)),
      ]);
    const counted = constraints.topologySpread.filter(
      (x) => respectPreferences || x.whenUnsatisfiable === 'DoNotSchedule',
    );
    return counted.find((x) => identity(x) === identity(s))?.minDomains ?? 0;
  }

  private affinity(
    kind: GroupKind,
    term: PodAffinityTerm,
    tolerations: PodConstraints['tolerations'],
    namespace: string,
    inverse: boolean,
  ): GroupId {
    return this.intern({
      kind,
      inverse,
      key: term.topologyKey,
      namespaces: this.namespacesOf(term, namespace),
      selector: term.labelSelector,
      maxSkew: NO_SKEW_LIMIT,
      minDomains: 0,
      filter: EVERY_NODE,
      makeableFor: tolerations,
    });
  }

  private namespacesOf(term: PodAffinityTerm, own: string): ReadonlySet<string> {
    const listed = term.namespaces ?? [];
    if (term.namespaceSelector === undefined) return new Set(listed.length === 0 ? [own] : listed);
    const selector = compileSelector(term.namespaceSelector);
    return new Set([...listed, ...this.namespaces.filter((n) => selector.matches(n.labels)).map((n) => n.name)]);
  }

  private intern(d: {
    kind: GroupKind;
    inverse: boolean;
    key: string;
    namespaces: ReadonlySet<string>;
    selector: LabelSelector | undefined;
    maxSkew: number;
    minDomains: number;
    filter: NodeFilter;
    makeableFor: PodConstraints['tolerations'] | undefined;
  }): GroupId {
    const identity = JSON.stringify([
      d.kind,
      d.inverse,
      d.key,
      [...d.namespaces].sort(),
      d.maxSkew,
      d.minDomains,
      d.makeableFor ?? null,
      filterText(d.filter),
      this.compat ? toleratedText(d.filter) : '',
      selectorText(d.selector),
    ]);
    let id = this.byIdentity.get(identity);
    if (id !== undefined) return id;
    id = this.list.length;
    this.byIdentity.set(identity, id);
    const selector = compileSelector(d.selector);
    const counted = d.selector === undefined ? compileSelector({}) : selector;
    this.list.push({
      ...d,
      id,
      byHost: d.key === HOSTNAME,
      selector,
      counted,
      everyNode: passesAll(d.filter),
    });
    this.selecting.add(d.namespaces, selector, id);
    if (!d.inverse) this.counting.add(d.namespaces, counted, id);
    return id;
  }
}

/**
 * Karpenter tells spreads apart by what their pods tolerate, also where taints do not matter: a pod that comes to tolerate
 * more while it gives up preferences has a new one, which does not know what was placed before.
 */
function toleratedText({ tolerations }: NodeFilter): string {
  return tolerations
    .map((t) => JSON.stringify(t))
    .sort()
    .join();
}

function withMatchLabelKeys(s: TopologySpread, labels: Labels): LabelSelector | undefined {
  const added = (s.matchLabelKeys ?? []).flatMap((key) => {
    const value = labelOf(labels, key);
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: [value] }];
  });
  if (added.length === 0 || s.labelSelector === undefined) return s.labelSelector;
  return { ...s.labelSelector, matchExpressions: [...(s.labelSelector.matchExpressions ?? []), ...added] };
}
