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
import { compileSelector, selectorText } from '../selection/label-selector.ts';
import { SelectorIndex } from '../selection/selector-index.ts';
import { EVERY_NODE, filterText, type NodeFilter, passesAll, spreadFilter } from './node-filter.ts';

export type GroupKind = 'spread' | 'affinity' | 'anti-affinity';
export type GroupId = number;

/**
 * Counts pods by domain: how many pods that a selector selects run in each zone (or host, or rack). Pods with the same
 * constraint share a group. An *inverse* group counts the pods with an anti-affinity term, to keep the pods that the
 * term selects away from them.
 */
export interface GroupRule {
  readonly id: GroupId;
  readonly kind: GroupKind;
  readonly inverse: boolean;
  /** Topology key. */
  readonly key: string;
  /** Every host is a domain. */
  readonly byHost: boolean;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly filter: NodeFilter;
  readonly everyNode: boolean;
  /** Tolerations of the pod that the group was created for: which domains NodePools could create for it. */
  readonly makeableFor: PodConstraints['tolerations'] | undefined;
}

/** Pods that one term of a constraint selects. */
interface Selection {
  readonly namespaces: ReadonlySet<string>;
  readonly selector: LabelSelector | undefined;
}

/** Groups that select the same pods. */
export interface Subjects {
  readonly groups: GroupId[];
  /** Those that count such pods while they run; inverse groups count their owners instead. */
  readonly counting: GroupId[];
}

const NO_SKEW_LIMIT = 2 ** 31 - 1;
const NO_GROUPS = { selecting: [], counting: [] };
const ALL_PODS = compileSelector({});

/** Distinct rules of pods' constraints. Independent of nodes, so that they outlive them. */
export class GroupRules {
  readonly list: GroupRule[] = [];
  private readonly byIdentity = new Map<string, GroupId>();
  /** Many groups select the same pods: labels are matched with each distinct set of selectors once. */
  private readonly subjects = new Map<string, Subjects>();
  private readonly selecting = new SelectorIndex<Subjects>();
  private readonly counting = new SelectorIndex<Subjects>();
  private readonly namespaces: readonly NamespaceObject[];
  private readonly compat: boolean;

  constructor(namespaces: readonly NamespaceObject[], compat: boolean) {
    this.namespaces = namespaces;
    this.compat = compat;
  }

  /** Groups that a pod must respect with these (relaxed) constraints. */
  ownedBy(c: PodConstraints, pod: PodObject, respectPreferences: boolean): GroupId[] {
    const { namespace } = pod;
    // Tolerations added by relaxation create no other affinity group.
    const { tolerations } = pod.constraints;
    const owned: GroupId[] = [];
    for (const spread of c.topologySpread) {
      if (respectPreferences || spread.whenUnsatisfiable === 'DoNotSchedule')
        owned.push(this.spread(spread, this.minDomainsOf(spread, pod, respectPreferences), c, pod));
    }
    const soft = <T>(list: readonly { readonly term: T }[]) => (respectPreferences ? list.map((w) => w.term) : []);
    for (const term of [...c.requiredAffinity, ...soft(c.preferredAffinity)])
      owned.push(this.affinity('affinity', [term], tolerations, namespace, false));
    owned.push(...this.antiAffinity(c.requiredAntiAffinity, tolerations, namespace, false));
    for (const term of soft(c.preferredAntiAffinity))
      owned.push(this.affinity('anti-affinity', [term], tolerations, namespace, false));
    return [...new Set(owned)];
  }

  /** Inverse groups that count a pod with these constraints. Preferences never repel others. */
  repellingFor(c: PodConstraints, namespace: string): GroupId[] {
    return [...new Set(this.antiAffinity(c.requiredAntiAffinity, c.tolerations, namespace, true))];
  }

  /**
   * Required anti-affinity terms with the same topology key are one group that selects what any of them selects: a pod
   * with ten terms costs as much as a pod with one. Karpenter has a group for each term.
   */
  private antiAffinity(
    terms: readonly PodAffinityTerm[],
    tolerations: PodConstraints['tolerations'],
    namespace: string,
    inverse: boolean,
  ): GroupId[] {
    const sets = this.compat ? terms.map((term) => [term]) : Map.groupBy(terms, (term) => term.topologyKey).values();
    return [...sets].map((set) => this.affinity('anti-affinity', set, tolerations, namespace, inverse));
  }

  subjectsOfGroups(groups: ReadonlySet<GroupId>): ReadonlySet<Subjects> {
    return new Set([...this.subjects.values()].filter((subjects) => subjects.groups.some((g) => groups.has(g))));
  }

  /** Of these subjects: groups that select a pod with these labels, and groups that count it while it runs. */
  about(
    namespace: string,
    labels: Labels,
    among: ReadonlySet<Subjects>,
  ): { readonly selecting: readonly GroupId[]; readonly counting: readonly GroupId[] } {
    if (among.size === 0) return NO_GROUPS;
    const isAmong = (subjects: Subjects) => among.has(subjects);
    const selecting = this.selecting.matchingAmong(namespace, labels, isAmong);
    const counting = [...selecting, ...this.counting.matchingAmong(namespace, labels, isAmong)];
    return { selecting: selecting.flatMap((s) => s.groups), counting: counting.flatMap((s) => s.counting) };
  }

  private spread(s: TopologySpread, minDomains: number, c: PodConstraints, { namespace, labels }: PodObject): GroupId {
    return this.intern({
      kind: 'spread',
      inverse: false,
      key: s.topologyKey,
      about: [{ namespaces: new Set([namespace]), selector: withMatchLabelKeys(s, labels) }],
      maxSkew: s.maxSkew,
      minDomains,
      filter: spreadFilter(c, s.nodeAffinityPolicy ?? 'Honor', s.nodeTaintsPolicy ?? 'Ignore'),
      makeableFor: (s.nodeTaintsPolicy ?? 'Ignore') === 'Ignore' ? undefined : c.tolerations,
    });
  }

  /** Karpenter treats two constraints of a pod as one if they differ in minDomains only: the first counts. */
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

  /** `terms`: with the same topology key. */
  private affinity(
    kind: GroupKind,
    terms: readonly PodAffinityTerm[],
    tolerations: PodConstraints['tolerations'],
    namespace: string,
    inverse: boolean,
  ): GroupId {
    return this.intern({
      kind,
      inverse,
      key: terms[0].topologyKey,
      about: terms.map((term) => ({
        namespaces: this.namespacesOf(term, namespace),
        selector: term.labelSelector,
      })),
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
    about: readonly Selection[];
    maxSkew: number;
    minDomains: number;
    filter: NodeFilter;
    makeableFor: PodConstraints['tolerations'] | undefined;
  }): GroupId {
    const subjects = subjectsText(d.about);
    const identity = JSON.stringify([
      d.kind,
      d.inverse,
      d.key,
      d.maxSkew,
      d.minDomains,
      d.makeableFor ?? null,
      filterText(d.filter),
      this.compat ? toleratedText(d.filter) : '',
      subjects,
    ]);
    let id = this.byIdentity.get(identity);
    if (id !== undefined) return id;
    id = this.list.length;
    this.byIdentity.set(identity, id);
    const { about, ...rule } = d;
    this.list.push({ ...rule, id, byHost: d.key === HOSTNAME, everyNode: passesAll(d.filter) });
    const { groups, counting } = this.subjectsOf(subjects, about);
    groups.push(id);
    if (!d.inverse) counting.push(id);
    return id;
  }

  private subjectsOf(text: string, about: readonly Selection[]): Subjects {
    let subjects = this.subjects.get(text);
    if (subjects === undefined) {
      subjects = { groups: [], counting: [] };
      this.subjects.set(text, subjects);
      for (const { namespaces, selector } of about) {
        // A constraint without a selector selects no pod, but every running pod counts.
        if (selector === undefined) this.counting.add(namespaces, ALL_PODS, subjects);
        else this.selecting.add(namespaces, compileSelector(selector), subjects);
      }
    }
    return subjects;
  }
}

/**
 * Karpenter distinguishes spreads by their pods' tolerations, even where taints do not matter: a pod that tolerates
 * more after relaxation has a new one, which does not know earlier placements.
 */
function toleratedText({ tolerations }: NodeFilter): string {
  return tolerations
    .map((t) => JSON.stringify(t))
    .sort()
    .join();
}

function subjectsText(about: readonly Selection[]): string {
  const texts = about.map((a) => JSON.stringify([[...a.namespaces].sort(), selectorText(a.selector)]));
  return [...new Set(texts)].sort().join();
}

function withMatchLabelKeys(s: TopologySpread, labels: Labels): LabelSelector | undefined {
  const added = (s.matchLabelKeys ?? []).flatMap((key) => {
    const value = labelOf(labels, key);
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: [value] }];
  });
  if (added.length === 0 || s.labelSelector === undefined) return s.labelSelector;
  return { ...s.labelSelector, matchExpressions: [...(s.labelSelector.matchExpressions ?? []), ...added] };
}
