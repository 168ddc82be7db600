import { CPU, MEMORY } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';

/** Large pods first: cpu, then memory, then age, then UID. Sorts in place. */
export function inQueueOrder({ requests, requestOfPod, pods: objects }: CompiledCluster, pods: number[]): number[] {
  return pods.sort((a, b) => {
    const x = requests.amounts(requestOfPod[a]);
    const y = requests.amounts(requestOfPod[b]);
    if (x[CPU] !== y[CPU]) return y[CPU] - x[CPU];
    if (x[MEMORY] !== y[MEMORY]) return y[MEMORY] - x[MEMORY];
    const p = objects[a];
    const q = objects[b];
    if (p.createdMs !== q.createdMs) return p.createdMs - q.createdMs;
    return p.uid < q.uid ? -1 : 1;
  });
}
