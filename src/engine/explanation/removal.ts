import type { Resources } from '../cluster/objects.ts';
import { namespacedName } from '../cluster/pods.ts';
import type { NodeObstacle, Obstacles, PoolObstacle } from '../scheduling/obstacles.ts';
import { type Attempt, alike, namesOf, type UnplacedPod } from './attempt.ts';
import { obstacleWords, poolObstacleWords, preferenceWords } from './obstacle-words.ts';
import type { NodeTrial } from './trial.ts';

/** A dry run: where each pod of the node would go, and which would have no place. */
export interface Removal {
  readonly placements: readonly { readonly pod: string; readonly to: string }[];
  /** Destinations, most pods first; new-1, new-2 … are new nodes. */
  readonly destinations: readonly { readonly node: string; readonly pods: number }[];
  readonly newNodes: number;
  readonly stranded: readonly PodsWithoutPlace[];
  /** Pods that fit on no existing node, so that a new node is needed. */
  readonly onNewNodes: readonly PodsWithoutPlace[];
}

/** Equal pods, and what blocks them. */
export interface PodsWithoutPlace {
  readonly pods: readonly string[];
  readonly everywhere?: Obstacles['everywhere'];
  /** The node that lacks least, and what it lacks. */
  readonly closest?: { readonly node: string; readonly missing: Resources };
  readonly nodes: readonly ObstacleCount[];
  /** Preferences that exclude nodes with enough capacity. */
  readonly preferences: readonly ObstacleCount[];
  readonly nodePools: readonly {
    readonly nodePool: string;
    readonly obstacle: PoolObstacle;
    readonly message: string;
  }[];
}

/** The number of nodes with the same obstacle. */
export interface ObstacleCount {
  readonly code: NodeObstacle['code'];
  readonly nodes: number;
  /** One of them. */
  readonly example: string;
  readonly message: string;
}

export function removalOf({ cluster }: NodeTrial, attempt: Attempt): Removal {
  const placements = attempt.placed.map(({ pod, row }) => ({
    pod: namespacedName(cluster.pods[pod]),
    to: row < 0 ? `new-${-row}` : cluster.rows[row].name,
  }));
  const counts = new Map<string, number>();
  for (const { to } of placements) counts.set(to, (counts.get(to) ?? 0) + 1);
  const withoutPlace = (pods: readonly UnplacedPod[]) =>
    alike(cluster, pods).map((group) => podsWithoutPlace(namesOf(cluster, group), group[0].obstacles));
  return {
    placements,
    destinations: [...counts].map(([node, pods]) => ({ node, pods })).sort((a, b) => b.pods - a.pods),
    newNodes: attempt.newNodes,
    stranded: withoutPlace(attempt.stranded),
    onNewNodes: withoutPlace(attempt.onNewNodes),
  };
}

export function podsWithoutPlace(pods: readonly string[], obstacles: Obstacles): PodsWithoutPlace {
  return {
    pods,
    everywhere: obstacles.everywhere,
    closest: obstacles.closest,
    nodes: obstacleCounts(obstacles.nodes),
    preferences: obstacleCounts(obstacles.preferences, preferenceWords),
    nodePools: obstacles.nodePools.map((p) => ({ ...p, message: poolObstacleWords(p.obstacle) })),
  };
}

/** Most frequent first, without the node that is removed. */
export function obstacleCounts(nodes: Obstacles['nodes'], words = obstacleWords): readonly ObstacleCount[] {
  const counts = new Map<string, ObstacleCount>();
  for (const { node, obstacle } of nodes) {
    if (obstacle.code === 'leaving') continue;
    const message = words(obstacle);
    const known = counts.get(message);
    counts.set(message, {
      code: obstacle.code,
      nodes: (known?.nodes ?? 0) + 1,
      example: known?.example ?? node,
      message,
    });
  }
  return [...counts.values()].sort((a, b) => b.nodes - a.nodes);
}
