import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { PodAffinityTerm, PodConstraints, PodObject } from '../cluster/objects.ts';
import { isTerminal } from '../cluster/pods.ts';
import type { UndecodableObject } from '../cluster/undecodable.ts';
import { type MostPairs, podsBeyondLimit, selectsOwnNamespace, TOO_MANY_CONSTRAINTS } from './constraint-limits.ts';

const MOST_PAIRS: MostPairs = { ofNamespace: 200_000, perPodOfCluster: 100 };

/** Pods of which some have fewer constraints than they were given, and the nodes that therefore stay as they are. */
interface LimitedPods {
  readonly pods: readonly PodObject[];
  /** The first such pod of each node. */
  readonly setAside: readonly UndecodableObject[];
}

const NOTHING: readonly UndecodableObject[] = [];

/**
 * Limits the constraints of running pods, which could make every simulation arbitrarily slow. Pods beyond the limit of their
 * namespace, the newest ones, do not move, so that their own constraints do not matter, and repel all pods that any of their
 * anti-affinity terms could select.
 */
export class RunningConstraints {
  private readonly limited = new WeakMap<PodObject, PodObject>();
  private readonly constraints = new WeakMap<PodConstraints, PodConstraints>();
  private readonly objects = new WeakMap<PodObject, UndecodableObject>();
  private readonly most: MostPairs;
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
    const beyond = podsBeyondLimit(pods, isRunning, this.most);
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
  return { kind: 'Pod', namespace, name, nodeName, problem: TOO_MANY_CONSTRAINTS };
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
  const { requiredNodeTerms: _moves, ...kept } = c;
  return {
    ...kept,
    nodeSelector: {},
    preferredNodeTerms: [],
    tolerations: [],
    requiredAffinity: [],
    preferredAffinity: [],
    requiredAntiAffinity: repelling,
    preferredAntiAffinity: [],
    topologySpread: [],
  };
}

function isRunning(pod: PodObject): boolean {
  return pod.nodeName !== '' && !isTerminal(pod);
}
