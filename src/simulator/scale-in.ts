import { parseGoFloat } from '../engine/cluster/go-float.ts';
import type { SimPod } from './sim-pod.ts';

/**
 * Pods in the order in which a ReplicaSet gives them up: without a node, not ready, low deletion cost, many of the
 * same workload on one node, young (ages count by powers of two).
 */
export function inScaleInOrder(pods: readonly SimPod[], nowMs: number, aligned: boolean): SimPod[] {
  const together = new Map<unknown, number>();
  for (const { node } of pods) if (node !== undefined) together.set(node, (together.get(node) ?? 0) + 1);
  const keyed = pods.map((pod) => {
    const beside = pod.node === undefined ? 0 : (together.get(pod.node) ?? 0);
    return {
      pod,
      key: [
        pod.node === undefined ? 0 : 1,
        pod.readyMs === undefined ? 0 : 1,
        cost(pod.object.deletionCost),
        // Node-ranked deletion cost would empty the nodes with the fewest pods first.
        aligned ? (pod.node?.pods.size ?? 0) : 0,
        aligned ? 0 : -beside,
        pod.readyMs === undefined ? 0 : Math.floor(Math.log2(1 + (nowMs - pod.readyMs) / 1000)),
      ],
    };
  });
  keyed.sort((a, b) => compareKeys(a.key, b.key) || compareNames(b.pod, a.pod));
  return keyed.map(({ pod }) => pod);
}

function cost(text: string | undefined): number {
  return text === undefined ? 0 : (parseGoFloat(text) ?? 0);
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

function compareNames(a: SimPod, b: SimPod): number {
  return a.object.uid < b.object.uid ? -1 : 1;
}
