import type { KubeScheduler } from './kube-scheduler.ts';
import { fits } from './resource-columns.ts';
import type { World } from './world.ts';

/**
 * The DaemonSet controller: a pod on every node that admits it and has capacity, as soon as the node is ready. A node that
 * was deleted while it started has Karpenter's taint by then.
 */
export function runDaemonSets(world: World, scheduler: KubeScheduler): void {
  const daemons = world.apps.filter(({ app }) => app.kind === 'DaemonSet' && app.onlyOnImportedNodes === undefined);
  world.listeners.push({
    nodeReady: (node) => {
      if (node.deleting) return;
      for (const state of daemons) {
        if (!scheduler.rulesOf(state).admits(node) || !fits(state.requests, node.free)) continue;
        state.desired++;
        world.bind(world.createPod(state), node);
      }
    },
    nodeGone: (node) => {
      for (const state of daemons) if (scheduler.rulesOf(state).admits(node)) state.desired = state.active;
    },
  });
}
