import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { NewNode } from './outcome.ts';
import type { Host } from './world.ts';

/** Pools that would have more than their limits if every new node became the largest of its types. */
export function exceededLimits(
  objects: ClusterObjects,
  survivors: readonly Host[],
  newNodes: readonly NewNode[],
): string[] {
  return objects.nodePools.flatMap((pool) => {
    const added = newNodes.filter((n) => n.pool.name === pool.name);
    if (added.length === 0) return [];
    const nodes = survivors.filter((h) => h.pool === pool.name);
    return Object.entries(pool.limits).flatMap(([resource, limit]) => {
      const used = nodes.reduce((sum, h) => sum + amount(h.capacity, resource), 0);
      const most = added.map((n) => Math.max(...n.types.map((t) => amount(t.capacity, resource))));
      // Karpenter looks at the number of nodes before it opens a claim, and does not count the claims that it has opened.
      const launched = resource === 'nodes' ? 1 : most.reduce((sum, m) => sum + m, 0);
      return used + launched > limit
        ? [`${pool.name}: ${resource} ${used} + ${launched} over the limit of ${limit}`]
        : [];
    });
  });
}

function amount(resources: Readonly<Record<string, number>>, resource: string): number {
  return resource === 'nodes' ? 1 : (resources[resource] ?? 0);
}
