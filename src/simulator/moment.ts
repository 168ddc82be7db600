import { costOfNodes } from './cluster-cost.ts';
import type { SimulatedCluster } from './simulated-cluster.ts';

/** A simulated cluster at one moment. */
export interface Moment {
  readonly nowMs: number;
  readonly nodes: number;
  readonly pods: number;
  readonly pendingPods: number;
  readonly dollarsPerHour: number;
  readonly costDollars: number;
  readonly evictions: number;
  readonly reevictions: number;
  readonly commands: number;
}

export function momentOf({ world, ledger }: SimulatedCluster): Moment {
  let pendingPods = 0;
  for (const { node } of world.pods.values()) if (node === undefined) pendingPods++;
  const { costDollars, evictions, reevictions, commands } = ledger.summary();
  return {
    nowMs: world.nowMs,
    nodes: world.nodes.size,
    pods: world.pods.size,
    pendingPods,
    dollarsPerHour: costOfNodes(world, world.nodes.values()),
    costDollars,
    evictions,
    reevictions,
    commands,
  };
}
