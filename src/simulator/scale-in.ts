import { parseGoFloat } from '../engine/cluster/go-float.ts';
import { hash } from './random-streams.ts';
import type { SimPod } from './sim-pod.ts';

/**
 * Pods in the order in which a ReplicaSet deletes them: unassigned, not ready, lower pod-deletion-cost, more pods of the
 * same workload on the node, younger (on a logarithmic scale). Ties are broken by a hash of the UID.
 */
export function inScaleInOrder(pods: readonly SimPod[], nowMs: number, aligned: boolean): SimPod[] {
  const together = new Map<unknown, number>();
  for (const { node } of pods) if (node !== undefined) together.set(node, (together.get(node) ?? 0) + 1);
  const ranks = aligned ? nodeRanks(pods) : new Map<unknown, number>();
  const keyed = pods.map((pod) => {
    const beside = pod.node === undefined ? 0 : (together.get(pod.node) ?? 0);
    return {
      pod,
      tiebreak: hash(pod.object.uid),
      key: [
        pod.node === undefined ? 0 : 1,
        pod.readyMs === undefined ? 0 : 1,
        pod.object.steeredCost ?? cost(pod.object.deletionCost),
        aligned ? (ranks.get(pod.node) ?? 0) : -beside,
        pod.readyMs === undefined ? 0 : Math.floor(Math.log2(1 + (nowMs - pod.readyMs) / 1000)),
      ],
    };
  });
  keyed.sort((a, b) => compareKeys(a.key, b.key) || a.tiebreak - b.tiebreak || compareNames(a.pod, b.pod));
  return keyed.map(({ pod }) => pod);
}

/** Node-ranked deletion cost: deletes from the nodes with the fewest pods first. */
function nodeRanks(pods: readonly SimPod[]): ReadonlyMap<unknown, number> {
  const nodes = [...new Set(pods.flatMap(({ node }) => node ?? []))];
  nodes.sort((a, b) => a.pods.size - b.pods.size || (a.name < b.name ? -1 : 1));
  return new Map(nodes.map((node, i) => [node, i]));
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
