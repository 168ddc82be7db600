import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';

export function shuffle<T>(list: readonly T[], order: () => number): T[] {
  return list
    .map((item) => ({ item, key: order() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** The same cluster with its lists in another order; `order` yields one number per object. */
export function shuffled(objects: ClusterObjects, order: () => number): ClusterObjects {
  return {
    ...objects,
    pods: shuffle(objects.pods, order),
    nodes: shuffle(objects.nodes, order),
    nodeClaims: shuffle(objects.nodeClaims, order),
    nodePools: shuffle(objects.nodePools, order),
    daemonSets: shuffle(objects.daemonSets, order),
    persistentVolumes: shuffle(objects.persistentVolumes, order),
    persistentVolumeClaims: shuffle(objects.persistentVolumeClaims, order),
    namespaces: shuffle(objects.namespaces, order),
    csiNodes: shuffle(objects.csiNodes, order),
    services: shuffle(objects.services, order),
    nodeOverlays: shuffle(objects.nodeOverlays, order),
    podTemplates: shuffle(objects.podTemplates, order),
    capacityBuffers: shuffle(objects.capacityBuffers, order),
  };
}
