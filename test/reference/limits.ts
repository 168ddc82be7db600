import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import type { NewNode } from './outcome.ts';
import type { Host } from './world.ts';

/** Pools that would have more than their limits if every new node, and every one launched earlier, became the largest of its types. */
export function exceededLimits(
  objects: ClusterObjects,
  survivors: readonly Host[],
  newNodes: readonly NewNode[],
  launched: readonly NewNode[],
): string[] {
  return objects.nodePools.flatMap((pool) => {
    const added = newNodes.filter((n) => n.pool.name === pool.name);
    if (added.length === 0) return [];
    const nodes = survivors.filter((h) => h.pool === pool.name);
    const earlier = launched.filter((n) => n.pool.name === pool.name);
    return Object.entries(pool.limits).flatMap(([resource, limit]) => {
      const mostOf = (n: NewNode) => Math.max(...n.types.map((t) => amount(t.capacity, resource)));
      const used =
        nodes.reduce((sum, h) => sum + amount(h.capacity, resource), 0) +
        earlier.reduce((sum, n) => sum + mostOf(n), 0);
      const most = added.map(mostOf);
      const more = most.reduce((sum, m) => sum + m, 0);
      return used + more > limit ? [`${pool.name}: ${resource} ${used} + ${more} over the limit of ${limit}`] : [];
    });
  });
}

function amount(resources: Readonly<Record<string, number>>, resource: string): number {
  return resource === 'nodes' ? 1 : (resources[resource] ?? 0);
}
