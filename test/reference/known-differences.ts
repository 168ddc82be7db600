import type {
  ClusterObjects,
  NodePoolObject,
  NodeSelectorRequirement,
  PodConstraints,
  PodObject,
} from '../../src/engine/cluster/objects.ts';
import { toleration } from '../build/constraints.ts';
import { TIER } from '../build/random/vocabulary.ts';

/**
 * The engine takes these habits of Karpenter over even without compat, and each makes placements that Kubernetes would
 * refuse. The examples of known-differences.test.ts show them one by one; here they are kept out of random clusters, so that
 * everything else is still checked.
 */
export function withoutKnownDifferences(objects: ClusterObjects): ClusterObjects {
  const repaired = (pod: PodObject): PodObject => {
    const own = { ...pod, constraints: overDefinedLabels(pod.constraints, objects.nodePools) };
    return withoutContradictions(withReachableVolumes(tolerant(own)));
  };
  return {
    ...objects,
    pods: objects.pods.map(repaired),
    daemonSets: objects.daemonSets.map((set) => ({ ...set, constraints: tolerantOf(set.constraints) })),
  };
}

/** Requirements that contradict each other are read as "the label is absent". */
function withoutContradictions(pod: PodObject): PodObject {
  const c = pod.constraints;
  const selector = Object.entries(c.nodeSelector).map(
    ([key, value]): NodeSelectorRequirement => ({ key, operator: 'In', values: [value] }),
  );
  const mentioned = new Set(selector.map((r) => r.key));
  const once = (list: readonly NodeSelectorRequirement[] = []) =>
    list.filter((r, i) => !mentioned.has(r.key) && list.findIndex((x) => x.key === r.key) === i);
  const requiredNodeTerms = c.requiredNodeTerms
    ?.map((t) => ({ matchExpressions: once(t.matchExpressions) }))
    .filter((t) => t.matchExpressions.length > 0);
  for (const term of requiredNodeTerms ?? []) for (const r of term.matchExpressions) mentioned.add(r.key);
  const preferredNodeTerms = c.preferredNodeTerms.map(({ weight, term }) => ({
    weight,
    term: { matchExpressions: once(term.matchExpressions) },
  }));
  return {
    ...pod,
    constraints: {
      ...c,
      preferredNodeTerms,
      requiredNodeTerms: requiredNodeTerms?.length === 0 ? undefined : requiredNodeTerms,
    },
  };
}

/** So are volumes in different zones; and a pod with a volume that is missing loses its topology constraints. */
function withReachableVolumes(pod: PodObject): PodObject {
  return { ...pod, volumeClaims: pod.volumeClaims.filter((name) => name !== 'missing' && name !== 'lost').slice(0, 1) };
}

/** Two topology constraints over a label that a pool does not define may leave no value: again, "the label is absent". */
function overDefinedLabels(c: PodConstraints, pools: readonly NodePoolObject[]): PodConstraints {
  const isDefined = ({ topologyKey: key }: { readonly topologyKey: string }) =>
    key !== TIER ||
    pools.every((p) => p.templateLabels[key] !== undefined || p.requirements.some((r) => r.key === key));
  return {
    ...c,
    topologySpread: c.topologySpread.filter(isDefined),
    requiredAffinity: c.requiredAffinity.filter(isDefined),
    requiredAntiAffinity: c.requiredAntiAffinity.filter(isDefined),
    preferredAffinity: c.preferredAffinity.filter((w) => isDefined(w.term)),
    preferredAntiAffinity: c.preferredAntiAffinity.filter((w) => isDefined(w.term)),
  };
}

/** DaemonSets mind PreferNoSchedule as long as no NodePool can launch anything. */
function tolerant(pod: PodObject): PodObject {
  return pod.owners.some((o) => o.kind === 'DaemonSet') ? { ...pod, constraints: tolerantOf(pod.constraints) } : pod;
}

function tolerantOf(c: PodConstraints): PodConstraints {
  return { ...c, tolerations: [...c.tolerations, toleration('', { effect: 'PreferNoSchedule' })] };
}
