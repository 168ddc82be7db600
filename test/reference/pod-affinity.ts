import type { ClusterObjects, PodAffinityTerm, PodObject } from '../../src/engine/cluster/objects.ts';
import { mayHaveValue, readingsOf, selects } from './labels.ts';
import { isStaying, type Located, type Place, possiblyTogether, surelyTogether } from './places.ts';

/** Required anti-affinity binds both ways and at all times, so final positions tell. */
export function brokenAntiAffinity(objects: ClusterObjects, all: readonly Located[]): string[] {
  const problems: string[] = [];
  for (const { pod, place, moved } of all) {
    for (const term of pod.constraints.requiredAntiAffinity) {
      for (const other of all) {
        // Two pods that both stay where they are may quarrel as before.
        if (other.pod === pod || (!moved && !other.moved) || !isStaying(other)) continue;
        if (isAbout(objects, term, pod, other.pod) && surelyTogether(place, other.place, term.topologyKey)) {
          problems.push(
            `${pod.name} on ${place.name} must not share ${term.topologyKey} with ${other.pod.name} on ${other.place.name}`,
          );
        }
      }
    }
  }
  return problems;
}

/** A required affinity term that no pod in the pod's domain satisfies when it is placed. */
export function lonelyTerms(
  objects: ClusterObjects,
  pod: PodObject,
  place: Place,
  others: readonly Located[],
): string[] {
  return pod.constraints.requiredAffinity
    .filter((term) => term.labelSelector !== undefined)
    .filter((term) => {
      const friends = others.filter((o) => isStaying(o) && isAbout(objects, term, pod, o.pod));
      if (friends.some((f) => possiblyTogether(place, f.place, term.topologyKey)))
        return place.possible(term.topologyKey).size === 0;
      // The first of its kind may start a domain: no pod that it selects is in a domain that it could have gone to.
      const isFirst = (reading: PodObject) => !friends.some((f) => couldBeIn(reading, term.topologyKey, f.place));
      return !isAbout(objects, term, pod, pod) || !readingsOf(pod).some(isFirst);
    })
    .map((term) => `no pod that its affinity selects shares ${term.topologyKey}`);
}

function couldBeIn(pod: PodObject, key: string, other: Place): boolean {
  const value = other.certain(key);
  return value !== undefined && mayHaveValue(pod.constraints, key, value);
}

function isAbout(objects: ClusterObjects, term: PodAffinityTerm, owner: PodObject, other: PodObject): boolean {
  return namespacesOf(objects, term, owner).includes(other.namespace) && selects(term.labelSelector, other.labels);
}

function namespacesOf(objects: ClusterObjects, term: PodAffinityTerm, owner: PodObject): string[] {
  const listed = term.namespaces ?? [];
  if (term.namespaceSelector === undefined) return listed.length === 0 ? [owner.namespace] : [...listed];
  return [...listed, ...objects.namespaces.filter((n) => selects(term.namespaceSelector, n.labels)).map((n) => n.name)];
}
