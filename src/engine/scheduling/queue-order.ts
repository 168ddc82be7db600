import { CPU, MEMORY } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';

/** Largest pods first: cpu, then memory, then age, then UID. Sorts in place. */
export function inQueueOrder(cluster: CompiledCluster, pods: number[]): number[] {
  return pods.sort((a, b) => compare(cluster, a, b));
}

/** Merges two sorted queues. */
export function joined(cluster: CompiledCluster, left: readonly number[], right: readonly number[]): readonly number[] {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  const out = new Array<number>(left.length + right.length);
  let [l, r] = [0, 0];
  for (let i = 0; i < out.length; i++) {
    const fromRight = l === left.length || (r < right.length && compare(cluster, right[r], left[l]) < 0);
    out[i] = fromRight ? right[r++] : left[l++];
  }
  return out;
}

function compare({ requests, requestOfPod, pods }: CompiledCluster, a: number, b: number): number {
  if (requestOfPod[a] !== requestOfPod[b]) {
    const x = requests.amounts(requestOfPod[a]);
    const y = requests.amounts(requestOfPod[b]);
    if (x[CPU] !== y[CPU]) return y[CPU] - x[CPU];
    if (x[MEMORY] !== y[MEMORY]) return y[MEMORY] - x[MEMORY];
  }
  const p = pods[a];
  const q = pods[b];
  if (p.createdMs !== q.createdMs) return p.createdMs - q.createdMs;
  return p.uid < q.uid ? -1 : 1;
}
