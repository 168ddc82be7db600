import { getOrInsert } from './get-or-insert.ts';
import type { PodObject } from './objects.ts';

/** By the pod as it was read, so that an unchanged pod is not compiled again. */
const onTheirNodes = new WeakMap<PodObject, PodObject>();

/**
 * Pods for which kube-scheduler evicts others on a node count as on that node: it stays theirs, although their binding
 * waits for the others to end. Karpenter waits for them too, but reserves nothing. The same list if there is none.
 */
export function withNominatedOnNodes(pods: readonly PodObject[]): readonly PodObject[] {
  return pods.some(isNominated) ? pods.map((pod) => (isNominated(pod) ? onItsNode(pod) : pod)) : pods;
}

function isNominated({ nodeName, nominatedNodeName }: PodObject): boolean {
  return nodeName === '' && nominatedNodeName !== '';
}

function onItsNode(pod: PodObject): PodObject {
  return getOrInsert(onTheirNodes, pod, () => ({ ...pod, nodeName: pod.nominatedNodeName }));
}
