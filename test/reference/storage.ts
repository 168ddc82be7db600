import type { ClusterObjects, Labels, PodObject } from '../../src/engine/cluster/objects.ts';
import { meets, meetsTerm } from './labels.ts';

/** The first of the pod's volumes that a node with these labels cannot reach. */
export function unreachableVolume(objects: ClusterObjects, pod: PodObject, labels: Labels): string | undefined {
  return pod.volumeClaims.find((name) => !isReachable(objects, pod.namespace, name, labels));
}

function isReachable(objects: ClusterObjects, namespace: string, name: string, labels: Labels): boolean {
  const claim = claimOf(objects, namespace, name);
  if (claim === undefined) return true;
  if (claim.volumeName === '') {
    const terms = objects.storageClasses.find((s) => s.name === claim.storageClass)?.allowedTopologies ?? [];
    return (
      terms.length === 0 ||
      terms.some((term) => term.every(({ key, values }) => meets(labels, { key, operator: 'In', values })))
    );
  }
  const volume = objects.persistentVolumes.find((v) => v.name === claim.volumeName);
  if (volume?.nodeTerms === undefined) return true;
  return volume.nodeTerms.some((term) => meetsTerm(labels, term));
}

/** Drivers of which the pods use more volumes than the node may attach. */
export function overAttached(objects: ClusterObjects, node: string, pods: readonly PodObject[]): string[] {
  const limits = objects.csiNodes.find((c) => c.name === node)?.limits ?? {};
  return Object.entries(limits).flatMap(([driver, limit]) => {
    const claims = new Set(
      pods.flatMap((pod) =>
        pod.volumeClaims
          .filter((name) => driverOf(objects, pod.namespace, name) === driver)
          .map((name) => `${pod.namespace}/${name}`),
      ),
    );
    return claims.size > limit ? [`${claims.size} volumes of ${driver}, ${limit} allowed`] : [];
  });
}

function driverOf(objects: ClusterObjects, namespace: string, name: string): string | undefined {
  const claim = claimOf(objects, namespace, name);
  if (claim === undefined) return undefined;
  if (claim.volumeName !== '') return objects.persistentVolumes.find((v) => v.name === claim.volumeName)?.csiDriver;
  return objects.storageClasses.find((s) => s.name === claim.storageClass)?.provisioner;
}

function claimOf(objects: ClusterObjects, namespace: string, name: string) {
  return objects.persistentVolumeClaims.find((c) => c.namespace === namespace && c.name === name);
}
