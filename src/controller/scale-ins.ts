import type { ClusterObjects, PodObject } from '../engine/cluster/objects.ts';
import { workloadNames } from '../engine/disruption/workloads.ts';

/**
 * Workloads that have scaled in. For others the order of their pods may never matter. Pods with a deletion cost of ours remember
 * it over restarts: their costs are neither removed nor written again.
 */
export class ScaleIns {
  private isFirst = true;
  private replicas = new Map<string, number>();
  private readonly scaledIn = new Set<string>();

  observe({ workloads, pods }: Pick<ClusterObjects, 'workloads' | 'pods'>): void {
    const nameOf = workloadNames(workloads);
    for (const pod of this.isFirst ? pods : []) if (pod.steeredCost !== undefined) this.scaledIn.add(nameOf(pod));
    this.isFirst = false;
    const now = new Map<string, number>();
    for (const { kind, namespace, name, owners, replicas } of workloads) {
      // ReplicaSets of a Deployment shrink in every rollout.
      if (owners.some((o) => o.controller)) continue;
      const key = `${kind} ${namespace}/${name}`;
      now.set(key, replicas);
      if (replicas < (this.replicas.get(key) ?? 0)) this.scaledIn.add(key);
    }
    this.replicas = now;
    for (const key of this.scaledIn) if (!now.has(key)) this.scaledIn.delete(key);
  }

  /** Whether the workload of a pod has scaled in. */
  of({ workloads }: Pick<ClusterObjects, 'workloads'>): (pod: PodObject) => boolean {
    const nameOf = workloadNames(workloads);
    return (pod) => this.scaledIn.has(nameOf(pod));
  }
}
