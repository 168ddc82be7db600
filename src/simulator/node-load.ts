import { evictionCost } from '../engine/cluster/pods.ts';
import type { SimNode } from './sim-node.ts';
import type { AppState } from './sim-pod.ts';

/** The pods of a node, summed up for consolidation. */
export interface NodeLoad {
  /** Number of reschedulable pods by workload; DaemonSet pods are not reschedulable. */
  readonly reschedulable: ReadonlyMap<AppState, number>;
  /** Karpenter's disruption cost; 1 for an empty node. */
  readonly disruptionCost: number;
  /** Some of its pods have not started yet. */
  readonly starting: boolean;
}

/** Cached in `node.load`, which the world clears when a pod of the node is bound, starts, stops or is removed. */
export function loadOf(node: SimNode): NodeLoad {
  if (node.load !== undefined) return node.load;
  const reschedulable = new Map<AppState, number>();
  let disruptionCost = 1;
  let starting = false;
  for (const { state, stopping, object } of node.pods) {
    const { kind } = state.app;
    if (kind === 'DaemonSet' || (stopping !== undefined && kind !== 'StatefulSet')) continue;
    reschedulable.set(state, (reschedulable.get(state) ?? 0) + 1);
    disruptionCost += Math.max(0, evictionCost(object));
    starting ||= object.phase === 'Pending';
  }
  node.load = { reschedulable, disruptionCost, starting };
  return node.load;
}
