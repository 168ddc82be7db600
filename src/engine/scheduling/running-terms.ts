import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { LabelSelector, Labels, PodAffinityTerm, PodConstraints, PodObject } from '../cluster/objects.ts';
import { isTerminal } from '../cluster/pods.ts';
import type { UndecodableObject } from '../cluster/undecodable.ts';
import { compileSelector } from '../selection/label-selector.ts';
import { relaxationsOf, termsOf } from './pending-terms.ts';

/**
 * Pairs of a term and a pod that it may select, for the terms of one namespace. Each pair costs time in every placement of that
 * pod. Terms that select their own workload have a few pairs per pod of the cluster, terms that select all pods very many.
 */
const MOST_PAIRS = { ofNamespace: 200_000, perPodOfCluster: 100 };
/** Cost of a term that selects no pod, in pairs. */
const PAIRS_OF_TERM = 20;

/** Pods of which some have fewer constraints than they were given, and the nodes that therefore stay as they are. */
interface LimitedPods {
  readonly pods: readonly PodObject[];
  /** The first such pod of each node. */
  readonly setAside: readonly UndecodableObject[];
}

const NOTHING: readonly UndecodableObject[] = [];

/**
 * Limits the affinity, anti-affinity and spread terms of running pods, which could make every simulation arbitrarily slow. Pods
 * beyond the limit of their namespace, the newest ones, do not move, so that their own constraints do not matter, and repel all
 * pods that any of their anti-affinity terms could select.
 */
export class RunningTerms {
  private readonly limited = new WeakMap<PodObject, PodObject>();
  private readonly constraints = new WeakMap<PodConstraints, PodConstraints>();
  private readonly objects = new WeakMap<PodObject, UndecodableObject>();
  private readonly most: typeof MOST_PAIRS;
  private last: (LimitedPods & { readonly of: readonly PodObject[] }) | undefined;

  constructor(most = MOST_PAIRS) {
    this.most = most;
  }

  /** Unchanged pods keep their identity. */
  limit(pods: readonly PodObject[]): LimitedPods {
    if (this.last?.of !== pods) this.last = { of: pods, ...this.made(pods) };
    return this.last;
  }

  private made(pods: readonly PodObject[]): LimitedPods {
    const most = this.most.ofNamespace + this.most.perPodOfCluster * pods.length;
    const beyond = new Set<PodObject>();
    for (const namespace of namespacesWithMany(pods, most))
      for (const pod of podsBeyond(pods, namespace, most)) beyond.add(pod);
    if (beyond.size === 0) return { pods, setAside: NOTHING };
    const byNode = new Map<string, UndecodableObject>();
    for (const pod of beyond)
      getOrInsert(byNode, pod.nodeName, () => getOrInsert(this.objects, pod, () => setAsideOf(pod)));
    return { pods: pods.map((pod) => (beyond.has(pod) ? this.repelling(pod) : pod)), setAside: [...byNode.values()] };
  }

  private repelling(pod: PodObject): PodObject {
    const { namespace, constraints } = pod;
    return getOrInsert(this.limited, pod, () => ({
      ...pod,
      constraints: getOrInsert(this.constraints, constraints, () => repellingAll(constraints, namespace)),
    }));
  }
}

function setAsideOf({ namespace, name, nodeName }: PodObject): UndecodableObject {
  const problem = `the pods of namespace ${namespace} have too many different affinity, anti-affinity and spread terms that select too many pods`;
  return { kind: 'Pod', namespace, name, nodeName, problem };
}

/** Namespaces that may be beyond the limit, because they would be if each term selected all pods. */
function namespacesWithMany(pods: readonly PodObject[], most: number): readonly string[] {
  const seen = new Map<string, Map<PodConstraints, number>>();
  for (const pod of pods) {
    if (termsOf(pod.constraints) > 0 && isRunning(pod))
      getOrInsert(seen, pod.namespace, () => new Map()).set(pod.constraints, costIfAll(pod.constraints, pods.length));
  }
  return [...seen]
    .filter(([, costs]) => [...costs.values()].reduce((sum, cost) => sum + cost, 0) > most)
    .map(([namespace]) => namespace);
}

function costIfAll(c: PodConstraints, pods: number): number {
  return termsOf(c) * (relaxationsOf(c) + PAIRS_OF_TERM + pods);
}

function isRunning(pod: PodObject): boolean {
  return pod.nodeName !== '' && !isTerminal(pod);
}

/** Running pods of the namespace whose terms, added to those of older pods, are beyond the limit. */
function podsBeyond(pods: readonly PodObject[], namespace: string, most: number): readonly PodObject[] {
  const own = pods.filter((pod) => pod.namespace === namespace);
  const alike = podsAlike(own);
  const keys = new Set([...alike.values()].flatMap(([{ constraints }]) => anchorsOf(constraints)));
  const inNamespace = new LabelCounts(own, keys);
  const inCluster = new LabelCounts(pods, keys);
  let left = most;
  const beyond: PodObject[] = [];
  for (const same of [...alike.values()].sort(([a], [b]) => (isOlder(a, b) ? -1 : 1))) {
    const cost = costOf(same[0].constraints, inNamespace, inCluster);
    if (cost <= left) left -= cost;
    else for (const pod of same) beyond.push(pod);
  }
  return beyond;
}

/** Running pods with terms, by their constraints; the oldest first, then the others. */
function podsAlike(pods: readonly PodObject[]): ReadonlyMap<string, PodObject[]> {
  const byText = new Map<string, PodObject[]>();
  const known = new Map<PodConstraints, PodObject[]>();
  for (const pod of pods) {
    const { constraints } = pod;
    if (termsOf(constraints) === 0 || !isRunning(pod)) continue;
    const same = getOrInsert(known, constraints, () => getOrInsert(byText, JSON.stringify(constraints), () => []));
    if (same.length === 0 || !isOlder(pod, same[0])) same.push(pod);
    else {
      same.push(same[0]);
      same[0] = pod;
    }
  }
  return byText;
}

function isOlder(a: PodObject, b: PodObject): boolean {
  return a.createdMs < b.createdMs || (a.createdMs === b.createdMs && a.name < b.name);
}

function costOf(c: PodConstraints, inNamespace: LabelCounts, inCluster: LabelCounts): number {
  let cost = termsOf(c) * (relaxationsOf(c) + PAIRS_OF_TERM);
  for (const { labelSelector } of c.topologySpread) cost += inNamespace.selected(labelSelector);
  for (const term of affinityTermsOf(c))
    cost += (selectsOwnNamespace(term) ? inNamespace : inCluster).selected(term.labelSelector);
  return cost;
}

function anchorsOf(c: PodConstraints): readonly string[] {
  return [...c.topologySpread, ...affinityTermsOf(c)].flatMap(
    ({ labelSelector }) => compileSelector(labelSelector).anchor?.key ?? [],
  );
}

function affinityTermsOf(c: PodConstraints): readonly PodAffinityTerm[] {
  const preferred = [...c.preferredAffinity, ...c.preferredAntiAffinity].map(({ term }) => term);
  return [...c.requiredAffinity, ...c.requiredAntiAffinity, ...preferred];
}

function selectsOwnNamespace({ namespaces = [], namespaceSelector }: PodAffinityTerm): boolean {
  return namespaces.length === 0 && namespaceSelector === undefined;
}

/** Without the constraints that matter only to a pod that moves. */
function repellingAll(c: PodConstraints, namespace: string): PodConstraints {
  const byKey = Map.groupBy(c.requiredAntiAffinity, (term) => term.topologyKey);
  const repelling = [...byKey].map(
    ([topologyKey, terms]): PodAffinityTerm => ({
      topologyKey,
      labelSelector: {},
      ...(terms.every(selectsOwnNamespace) ? { namespaces: [namespace] } : { namespaceSelector: {} }),
    }),
  );
  return {
    ...c,
    requiredAffinity: [],
    preferredAffinity: [],
    requiredAntiAffinity: repelling,
    preferredAntiAffinity: [],
    topologySpread: [],
  };
}

/** How many pods have a label, of these keys. */
class LabelCounts {
  private readonly pods: number;
  private readonly counts = new Map<string, Map<string, number>>();

  constructor(pods: readonly PodObject[], keys: ReadonlySet<string>) {
    this.pods = pods.length;
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

  /** At most as many pods as this does the selector select. */
  selected(selector: LabelSelector | undefined): number {
    const { anchor } = compileSelector(selector);
    if (anchor === undefined) return this.pods;
    const counts = this.counts.get(anchor.key);
    return anchor.values.reduce((sum, value) => sum + (counts?.get(value) ?? 0), 0);
  }
}
