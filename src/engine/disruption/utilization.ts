import { CPU, MEMORY } from '../cluster/request-table.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PodFacts } from '../scheduling/pod-facts.ts';

/**
 * Mean of requested over allocatable cpu and memory of running pods; a resource that the node lacks counts as unused.
 */
export function utilization(cluster: CompiledCluster, row: number): number {
  return usedBy(cluster, row, (pod) => !pod.terminal);
}

/** The same for pods that would have to move only: without DaemonSets and terminating pods. */
export function movingShare(cluster: CompiledCluster, row: number): number {
  return usedBy(cluster, row, (pod) => pod.reschedulable);
}

function usedBy(cluster: CompiledCluster, row: number, counts: (pod: PodFacts) => boolean): number {
  let cpu = 0;
  let memory = 0;
  for (const i of cluster.podsOfRow[row]) {
    if (!counts(cluster.facts[i])) continue;
    const amounts = cluster.requests.amounts(cluster.requestOfPod[i]);
    cpu += amounts[CPU];
    memory += amounts[MEMORY];
  }
  const { allocatable } = cluster.rows[row];
  return (share(cpu, allocatable.cpu) + share(memory, allocatable.memory)) / 2;
}

function share(used: number, of: number | undefined): number {
  return of === undefined || of <= 0 ? 0 : used / of;
}
