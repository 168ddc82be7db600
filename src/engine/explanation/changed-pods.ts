import type { ClusterObjects, NodeSelectorTerm, PodConstraints, PodObject } from '../cluster/objects.ts';
import { namespacedName } from '../cluster/pods.ts';
import { canonicalLabel, DO_NOT_DISRUPT, DO_NOT_EVICT, SAFE_TO_EVICT } from '../cluster/well-known.ts';
import { deploymentOf } from '../disruption/rollouts.ts';
import type { PodChange } from './change.ts';

export const FIELD_OF_ANNOTATION: Readonly<Record<string, keyof PodObject>> = {
  [DO_NOT_DISRUPT]: 'doNotDisrupt',
  [DO_NOT_EVICT]: 'doNotEvict',
  [SAFE_TO_EVICT]: 'safeToEvict',
};

/** The objects that differ after this change of pods. */
export function changePods(objects: ClusterObjects, change: PodChange): Partial<ClusterObjects> {
  switch (change.code) {
    case 'disruption-budget':
      return {
        podDisruptionBudgets: objects.podDisruptionBudgets.map((b) =>
          namespacedName(b) === change.budget
            ? { ...b, disruptionsAllowed: b.disruptionsAllowed + change.more, fullyBlocking: false }
            : b,
        ),
      };
    case 'rollout-offered':
      return edited(objects, [change.pod], () => ({ move: 'rollout' }));
    case 'surge':
      return surging(objects, change.pod);
    case 'pod-gone':
      return { pods: objects.pods.filter((pod) => namespacedName(pod) !== change.pod) };
    case 'pod-annotation-gone':
      return edited(objects, [change.pod], () => ({ [FIELD_OF_ANNOTATION[change.annotation]]: undefined }));
    case 'pod-owned':
      return edited(objects, [change.pod], (pod) => ({
        owners: [
          ...pod.owners,
          { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: pod.name, uid: pod.uid, controller: true },
        ],
      }));
    case 'volume-free':
      return edited(objects, change.pods, () => ({ volumeClaims: [] }));
    case 'host-port-free':
      return constrained(objects, change.pods, () => ({ hostPorts: [] }));
    case 'toleration':
      return constrained(objects, change.pods, ({ tolerations }) => {
        const { key, value, effect } = change.taint;
        return { tolerations: [...tolerations, { key, operator: 'Equal', value, effect }] };
      });
    case 'label-free':
      return constrained(objects, change.pods, (c) => withoutLabel(c, change.key));
    case 'preference-free':
      return constrained(objects, change.pods, (c) => withoutPreference(c, change.kind, change.key));
    case 'topology-free': {
      const others = (term: { readonly topologyKey: string }) => canonicalLabel(term.topologyKey) !== change.key;
      return constrained(objects, change.pods, (c) =>
        change.kind === 'spread'
          ? { topologySpread: c.topologySpread.filter(others) }
          : change.kind === 'affinity'
            ? { requiredAffinity: c.requiredAffinity.filter(others) }
            : { requiredAntiAffinity: c.requiredAntiAffinity.filter(others) },
      );
    }
  }
}

function surging(objects: ClusterObjects, pod: string): Partial<ClusterObjects> {
  const own = objects.pods.find((p) => namespacedName(p) === pod);
  const deployment = own && deploymentOf(objects, own);
  return {
    workloads: objects.workloads.map((w) =>
      w === deployment && w.rollout !== undefined
        ? { ...w, rollout: { ...w.rollout, rolling: { maxSurge: 1, maxUnavailable: 0 } } }
        : w,
    ),
  };
}

function edited(
  objects: ClusterObjects,
  names: readonly string[],
  edit: (pod: PodObject) => Partial<PodObject>,
): Partial<ClusterObjects> {
  const chosen = new Set(names);
  return { pods: objects.pods.map((pod) => (chosen.has(namespacedName(pod)) ? { ...pod, ...edit(pod) } : pod)) };
}

function constrained(
  objects: ClusterObjects,
  names: readonly string[],
  edit: (c: PodConstraints) => Partial<PodConstraints>,
): Partial<ClusterObjects> {
  return edited(objects, names, (pod) => ({ constraints: { ...pod.constraints, ...edit(pod.constraints) } }));
}

function withoutLabel(c: PodConstraints, key: string): Partial<PodConstraints> {
  const others = (name: string) => canonicalLabel(name) !== key;
  const keep = (term: NodeSelectorTerm): NodeSelectorTerm => ({
    ...term,
    matchExpressions: term.matchExpressions?.filter((r) => others(r.key)),
  });
  return {
    nodeSelector: Object.fromEntries(Object.entries(c.nodeSelector).filter(([name]) => others(name))),
    requiredNodeTerms: c.requiredNodeTerms?.map(keep),
  };
}

function withoutPreference(
  c: PodConstraints,
  kind: Extract<PodChange, { code: 'preference-free' }>['kind'],
  key: string,
): Partial<PodConstraints> {
  const others = (term: { readonly topologyKey: string }) => canonicalLabel(term.topologyKey) !== key;
  switch (kind) {
    case 'spread':
      return { topologySpread: c.topologySpread.filter((s) => s.whenUnsatisfiable !== 'ScheduleAnyway' || others(s)) };
    case 'affinity':
      return { preferredAffinity: c.preferredAffinity.filter(({ term }) => others(term)) };
    case 'anti-affinity':
      return { preferredAntiAffinity: c.preferredAntiAffinity.filter(({ term }) => others(term)) };
    case 'node-affinity':
      return {
        preferredNodeTerms: c.preferredNodeTerms.filter(
          ({ term }) => !term.matchExpressions?.some((r) => canonicalLabel(r.key) === key),
        ),
      };
  }
}
