import { isEvictable } from '../engine/cluster/pods.ts';
import { DISRUPTED_TAINT } from '../engine/cluster/well-known.ts';
import { toleratesAll } from '../engine/selection/taints.ts';
import { evictionsAllowed } from './budget-status.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import type { SimNode } from './sim-node.ts';
import type { SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

/** Interval between attempts to evict the remaining pods. */
const RETRY_MS = 5000;

/** Karpenter's termination controller: evicts the pods of deleted NodeClaims within their PodDisruptionBudgets, then terminates the node. */
export class Draining {
  private readonly world: World;
  private readonly lifecycle: NodeLifecycle;
  private readonly ending = new Set<SimNode>();

  constructor(world: World, lifecycle: NodeLifecycle) {
    this.world = world;
    this.lifecycle = lifecycle;
    world.listeners.push({
      nodeDeleting: (node) => this.attempt(node),
      podGone: (_, node) => {
        if (node?.deleting) this.endIfEmpty(node);
      },
      nodeGone: (node) => this.ending.delete(node),
    });
  }

  private attempt(node: SimNode): void {
    if (node.gone || this.ending.has(node)) return;
    for (const pod of [...node.pods]) if (this.mayEvict(pod)) this.world.stop(pod, 'evicted');
    if (!this.endIfEmpty(node)) this.world.queue.after(RETRY_MS, () => this.attempt(node));
  }

  private mayEvict(pod: SimPod): boolean {
    if (pod.stopping !== undefined || isDaemon(pod) || !isEvictable(pod.object, this.world.nowMs)) return false;
    // A pod that is not ready does not count against its budget.
    return pod.readyMs === undefined || evictionsAllowed(pod.state) > 0;
  }

  private endIfEmpty(node: SimNode): boolean {
    for (const pod of node.pods) if (!isDaemon(pod) && !staysBehind(pod)) return false;
    if (!this.ending.has(node)) {
      this.ending.add(node);
      this.lifecycle.terminate(node);
    }
    return true;
  }
}

/** Karpenter neither evicts nor waits for pods that tolerate the disruption taint. */
function staysBehind({ object }: SimPod): boolean {
  return toleratesAll([DISRUPTED_TAINT], object.constraints.tolerations);
}

function isDaemon(pod: SimPod): boolean {
  return pod.state.app.kind === 'DaemonSet';
}
