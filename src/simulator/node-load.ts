import { evictionCost } from '../engine/cluster/pods.ts';
import type { SimNode } from './sim-node.ts';
import type { AppState } from './sim-pod.ts';

/** What would have to move if a node went. */
export interface NodeLoad {
  /** Pods by workload, DaemonSets aside. */
  readonly moving: ReadonlyMap<AppState, number>;
  /** What Karpenter orders nodes by: 1 is an empty node. */
  readonly cost: number;
  /** Some of its pods have not started yet. */
  readonly starting: boolean;
}

/** Remembered until a pod of the node comes, starts, stops or goes: then the world empties `node.load`. */
export function loadOf(node: SimNode): NodeLoad {
  if (node.load !== undefined) return node.load;
  const moving = new Map<AppState, number>();
  let cost = 1;
  let starting = false;
  for (const { state, stopping, object } of node.pods) {
    const { kind } = state.app;
    if (kind === 'DaemonSet' || (stopping !== undefined && kind !== 'StatefulSet')) continue;
    moving.set(state, (moving.get(state) ?? 0) + 1);
    cost += Math.max(0, evictionCost(object));
    starting ||= object.phase === 'Pending';
  }
  node.load = { moving, cost, starting };
  return node.load;
}
