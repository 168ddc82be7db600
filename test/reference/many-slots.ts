import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';

/** Until the first of reported-bugs.test.ts is fixed: a run may take no node's last slot. */
export function withManySlots(objects: ClusterObjects): ClusterObjects {
  const nodes = objects.nodes.map((n) => ({ ...n, allocatable: { ...n.allocatable, pods: 100 } }));
  return { ...objects, nodes };
}
