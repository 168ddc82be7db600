import { evictionCost } from '../engine/cluster/pods.ts';
import type { SimNode } from './sim-node.ts';
import type { AppState, SimPod } from './sim-pod.ts';

/** What is on a node, and what would have to move if it went. */
export interface NodeLoad {
  /** All pods by workload. */
  readonly pods: ReadonlyMap<AppState, readonly SimPod[]>;
  /** Pods that would have to move by workload, DaemonSets aside. */
  readonly moving: ReadonlyMap<AppState, number>;
  /** The same, each. */
  readonly movers: readonly SimPod[];
  /** What Karpenter orders nodes by: 1 is an empty node. */
  readonly cost: number;
  /** Some of its pods have not started yet. */
  readonly starting: boolean;
}

/** Remembered until a pod of the node comes, starts, stops or goes: then the world empties `node.load`. */
export function loadOf(node: SimNode): NodeLoad {
  if (node.load !== undefined) return node.load;
  const pods = new Map<AppState, SimPod[]>();
  const moving = new Map<AppState, number>();
  const movers: SimPod[] = [];
  let cost = 1;
  let starting = false;
  for (const pod of node.pods) {
    const { state, stopping, object } = pod;
    const own = pods.get(state);
    if (own === undefined) pods.set(state, [pod]);
    else own.push(pod);
    const { kind } = state.app;
    if (kind === 'DaemonSet' || (stopping !== undefined && kind !== 'StatefulSet')) continue;
    movers.push(pod);
    moving.set(state, (moving.get(state) ?? 0) + 1);
    cost += Math.max(0, evictionCost(object));
    starting ||= object.phase === 'Pending';
  }
  node.load = { pods, moving, movers, cost, starting };
  return node.load;
}
