import type { NodeObstacle, Obstacles } from '../scheduling/obstacles.ts';
import type { Requirement } from '../selection/requirement.ts';
import type { Change } from './change.ts';

/**
 * Changes that each drop one constraint of equal pods, those that exclude most nodes first. `onNewNodesToo`: a place on
 * a new node suffices.
 */
export function placementFixes(
  obstacles: Obstacles,
  pods: readonly string[],
  onNewNodesToo: boolean,
): readonly Change[] {
  const found = new Map<string, { change: Change; nodes: number }>();
  const add = (change: Change, nodes: number) => {
    const key = JSON.stringify(change);
    const known = found.get(key);
    found.set(key, { change, nodes: nodes + (known?.nodes ?? 0) });
  };
  for (const { obstacle } of obstacles.nodes) {
    switch (obstacle.code) {
      case 'label':
        add({ code: 'label-free', pods, key: obstacle.key, values: accepted(obstacle.wanted) }, 1);
        break;
      case 'taint':
        add({ code: 'toleration', pods, taint: obstacle.taint }, 1);
        break;
      case 'topology':
        // Another pod's anti-affinity is not this pod's to change.
        if (!obstacle.inverse) add({ code: 'topology-free', pods, kind: obstacle.kind, key: obstacle.key }, 1);
        break;
      case 'volume-location':
        add({ code: 'volume-free', pods }, 1);
        break;
      case 'host-port':
        add({ code: 'host-port-free', pods }, 1);
        break;
    }
  }
  const { closest } = obstacles;
  if (closest !== undefined && pods.length === 1)
    add({ code: 'more-room', node: closest.node, resources: closest.missing }, 0);
  for (const { nodePool, obstacle } of onNewNodesToo ? obstacles.nodePools : []) {
    if (obstacle.code === 'label')
      add({ code: 'label-free', pods, key: obstacle.key, values: accepted(obstacle.wanted) }, 0);
    else if (obstacle.code === 'taint') add({ code: 'toleration', pods, taint: obstacle.taint }, 0);
    else if (obstacle.code === 'volume-location') add({ code: 'volume-free', pods }, 0);
    else if (obstacle.code === 'limits') add({ code: 'pool-limits', nodePool }, 0);
  }
  const byNodes = [...found.values()].sort((a, b) => b.nodes - a.nodes).map(({ change }) => change);
  return [...preferenceFixes(obstacles, pods), ...byNodes];
}

/** If only preferences exclude nodes, dropping them is the smallest change. */
function preferenceFixes({ preferences }: Obstacles, pods: readonly string[]): readonly Change[] {
  const found = new Map<string, Change>();
  for (const { obstacle } of preferences) {
    const change = preferenceFix(obstacle, pods);
    if (change !== undefined) found.set(JSON.stringify(change), change);
  }
  return [...found.values()];
}

function preferenceFix(obstacle: NodeObstacle, pods: readonly string[]): Change | undefined {
  switch (obstacle.code) {
    case 'taint':
      return { code: 'toleration', pods, taint: obstacle.taint };
    case 'label':
      return { code: 'preference-free', pods, kind: 'node-affinity', key: obstacle.key };
    case 'topology':
      return obstacle.inverse ? undefined : { code: 'preference-free', pods, kind: obstacle.kind, key: obstacle.key };
    default:
      return undefined;
  }
}

/** The values that a requirement lists; empty if it lists none. */
function accepted({ complement, values }: Requirement): readonly string[] {
  return complement ? [] : [...values].sort();
}
