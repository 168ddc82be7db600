import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { Labels, PodAffinityTerm, PodConstraints, PodObject } from '../cluster/objects.ts';
import { type CompiledSelector, compileSelector } from '../selection/label-selector.ts';

/**
 * How much the constraints of one namespace may cost, in pairs of a term and a pod that it may select. Each pair costs time in
 * every placement of that pod. Terms that select their own workload have a few pairs per pod, terms that select all pods very many.
 */
export interface MostPairs {
  readonly ofNamespace: number;
  /** In addition, for each pod of the cluster. */
  readonly perPodOfCluster: number;
}

export const TOO_MANY_CONSTRAINTS =
  'the scheduling constraints of the pods in this namespace are too many, or select too many pods';

type Counts = (pod: PodObject) => boolean;

/** Cost of an affinity, anti-affinity or spread term that selects no pod, in pairs. */
const PAIRS_OF_TERM = 20;
/** Cost of a required label, a toleration or a host port, in pairs. */
const PAIRS_OF_PART = 5;

/** Of the pods that count: those whose constraints are beyond the limit, the newest of a namespace. */
export function podsBeyondLimit(
  pods: readonly PodObject[],
  counts: Counts,
  { ofNamespace, perPodOfCluster }: MostPairs,
): ReadonlySet<PodObject> {
  const most = ofNamespace + perPodOfCluster * pods.length;
  const beyond = new Set<PodObject>();
  for (const namespace of namespacesWithMany(pods, counts, most))
    for (const pod of podsBeyond(pods, namespace, counts, most)) beyond.add(pod);
  return beyond;
}

/** Namespaces that may be beyond the limit, because they would be if each term selected all pods. */
function namespacesWithMany(pods: readonly PodObject[], counts: Counts, most: number): readonly string[] {
  const costs = new Map<string, number>();
  const seen = new Map<string, Set<PodConstraints>>();
  for (const pod of pods) {
    const { namespace, constraints } = pod;
    if (!counts(pod) || fixedCost(constraints) === 0) continue;
    const own = getOrInsert(seen, namespace, () => new Set());
    if (own.has(constraints)) continue;
    own.add(constraints);
    const cost = fixedCost(constraints) + termsOf(constraints) * 2 * pods.length;
    costs.set(namespace, cost + (costs.get(namespace) ?? 0));
  }
  return [...costs].filter(([, cost]) => cost > most).map(([namespace]) => namespace);
}

const fixedCosts = new WeakMap<PodConstraints, number>();

/** Whatever the terms select. */
function fixedCost(c: PodConstraints): number {
  return getOrInsert(fixedCosts, c, () => {
    const namespaces = affinityTermsOf(c).reduce((sum, term) => sum + (term.namespaces?.length ?? 0), 0);
    return termsOf(c) * (relaxationsOf(c) + PAIRS_OF_TERM) + namespaces + partsOf(c) * PAIRS_OF_PART;
  });
}

function partsOf(c: PodConstraints): number {
  const nodeTerms = [...(c.requiredNodeTerms ?? []), ...c.preferredNodeTerms.map(({ term }) => term)];
  const expressions = nodeTerms.flatMap(({ matchExpressions = [] }) => matchExpressions);
  const values = expressions.reduce((sum, each) => sum + 1 + (each.values?.length ?? 0), 0);
  return Object.keys(c.nodeSelector).length + values + c.tolerations.length + c.hostPorts.length;
}

/** Pods of the namespace whose constraints, added to those of older pods, are beyond the limit. */
function podsBeyond(pods: readonly PodObject[], namespace: string, counts: Counts, most: number): readonly PodObject[] {
  const own = pods.filter((pod) => pod.namespace === namespace);
  const oldest = oldestByConstraints(own.filter(counts));
  const keys = new Set<string>();
  for (const { constraints } of oldest.values())
    for (const { anchor } of selectionsOf(constraints)) if (anchor !== undefined) keys.add(anchor.key);
  const inNamespace = new LabelCounts(own, keys);
  const inCluster = own.length === pods.length ? inNamespace : new LabelCounts(pods, keys);
  let left = most;
  const beyond = new Set<string>();
  for (const [text, { constraints }] of [...oldest].sort(([, a], [, b]) => (isOlder(a, b) ? -1 : 1))) {
    const cost = costOf(constraints, inNamespace, inCluster);
    if (cost <= left) left -= cost;
    else beyond.add(text);
  }
  return beyond.size === 0 ? [] : own.filter((pod) => counts(pod) && beyond.has(textOf(pod.constraints)));
}

function oldestByConstraints(pods: readonly PodObject[]): ReadonlyMap<string, PodObject> {
  const known = new Map<PodConstraints, PodObject>();
  for (const pod of pods) {
    const before = known.get(pod.constraints);
    if (before === undefined ? fixedCost(pod.constraints) > 0 : isOlder(pod, before)) known.set(pod.constraints, pod);
  }
  const byText = new Map<string, PodObject>();
  for (const [constraints, pod] of known) {
    const before = byText.get(textOf(constraints));
    if (before === undefined || isOlder(pod, before)) byText.set(textOf(constraints), pod);
  }
  return byText;
}

function isOlder(a: PodObject, b: PodObject): boolean {
  return a.createdMs < b.createdMs || (a.createdMs === b.createdMs && a.name < b.name);
}

const texts = new WeakMap<PodConstraints, string>();

function textOf(c: PodConstraints): string {
  return getOrInsert(texts, c, () => JSON.stringify(c));
}

function costOf(c: PodConstraints, inNamespace: LabelCounts, inCluster: LabelCounts): number {
  let cost = fixedCost(c);
  for (const { anchor, inOwnNamespace, hasNamespaceSelector } of selectionsOf(c)) {
    cost += (inOwnNamespace ? inNamespace : inCluster).having(anchor);
    if (hasNamespaceSelector) cost += inCluster.namespaces;
  }
  return cost;
}

/** What a term selects, roughly. */
interface Selection {
  readonly anchor: CompiledSelector['anchor'];
  readonly inOwnNamespace: boolean;
  readonly hasNamespaceSelector: boolean;
}

const selections = new WeakMap<PodConstraints, readonly Selection[]>();

function selectionsOf(c: PodConstraints): readonly Selection[] {
  return getOrInsert(selections, c, () => [
    ...c.topologySpread.map(({ labelSelector }) => ({
      anchor: compileSelector(labelSelector).anchor,
      inOwnNamespace: true,
      hasNamespaceSelector: false,
    })),
    ...affinityTermsOf(c).map((term) => ({
      anchor: compileSelector(term.labelSelector).anchor,
      inOwnNamespace: selectsOwnNamespace(term),
      hasNamespaceSelector: term.namespaceSelector !== undefined,
    })),
  ]);
}

function affinityTermsOf(c: PodConstraints): readonly PodAffinityTerm[] {
  const preferred = [...c.preferredAffinity, ...c.preferredAntiAffinity].map(({ term }) => term);
  return [...c.requiredAffinity, ...c.requiredAntiAffinity, ...preferred];
}

export function selectsOwnNamespace({ namespaces = [], namespaceSelector }: PodAffinityTerm): boolean {
  return namespaces.length === 0 && namespaceSelector === undefined;
}

/** Affinity, anti-affinity and spread terms. */
function termsOf(c: PodConstraints): number {
  return (
    c.requiredAffinity.length +
    c.preferredAffinity.length +
    c.requiredAntiAffinity.length +
    c.preferredAntiAffinity.length +
    c.topologySpread.length
  );
}

/** How often constraints can be relaxed; each time, the terms that are left are tried again. */
function relaxationsOf(c: PodConstraints): number {
  return (
    (c.requiredNodeTerms?.length ?? 1) -
    1 +
    c.preferredNodeTerms.length +
    c.preferredAffinity.length +
    c.preferredAntiAffinity.length +
    c.topologySpread.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'ScheduleAnyway').length
  );
}

/** How many pods have a label, of these keys. */
class LabelCounts {
  readonly namespaces: number;
  private readonly pods: number;
  private readonly counts = new Map<string, Map<string, number>>();

  constructor(pods: readonly PodObject[], keys: ReadonlySet<string>) {
    this.pods = pods.length;
    this.namespaces = new Set(pods.map(({ namespace }) => namespace)).size;
    const alike = new Map<Labels, number>();
    for (const { labels } of pods) alike.set(labels, 1 + (alike.get(labels) ?? 0));
    for (const [labels, n] of alike) {
      for (const [key, value] of Object.entries(labels)) {
        if (!keys.has(key)) continue;
        const values = getOrInsert(this.counts, key, () => new Map());
        values.set(value, n + (values.get(value) ?? 0));
      }
    }
  }

  /** All pods without an anchor. */
  having(anchor: CompiledSelector['anchor']): number {
    if (anchor === undefined) return this.pods;
    const counts = this.counts.get(anchor.key);
    return anchor.values.reduce((sum, value) => sum + (counts?.get(value) ?? 0), 0);
  }
}
