import type { ClusterObjects, LabelSelector, PodAffinityTerm } from '../../src/engine/cluster/objects.ts';
import { cluster } from './cluster.ts';
import { machine } from './machine.ts';
import { type PodSketch, pendingPod, pod } from './pod.ts';

export interface HostilePods {
  readonly pods: number;
  /** Anti-affinity terms of each, no two of the cluster alike. */
  readonly terms: number;
  /** `everybody`: each term selects every pod; `nobody`: it selects none. */
  readonly selecting: 'everybody' | 'nobody';
  /** Topology key of the j-th term of the i-th pod. */
  readonly key: (i: number, j: number) => string;
  readonly sketch?: PodSketch;
}

/** Twenty nodes in three zones, two ordinary pods on each, and pending pods that are as expensive to place as they can be. */
export function hostileCluster({ pods, terms, selecting, key, sketch }: HostilePods): ClusterObjects {
  const selector = (i: number, j: number): LabelSelector =>
    selecting === 'everybody'
      ? { matchExpressions: [{ key: `absent-${i}-${j}`, operator: 'DoesNotExist' }] }
      : { matchLabels: { app: `absent-${i}-${j}` } };
  const hostile = Array.from({ length: pods }, (_, i) =>
    pendingPod(`hostile-${i}`, {
      labels: { app: `hostile-${i}` },
      cpu: 10,
      memory: 1,
      ...sketch,
      requiredAntiAffinity: Array.from(
        { length: terms },
        (__, j): PodAffinityTerm => ({ topologyKey: key(i, j), labelSelector: selector(i, j) }),
      ),
    }),
  );
  const machines = Array.from({ length: 20 }, (_, i) => machine(`n${i}`, { zone: `zone-${'abc'[i % 3]}` }));
  const running = Array.from({ length: 40 }, (_, i) => pod(`web-${i}`, { on: `n${i % 20}`, labels: { app: 'web' } }));
  return cluster({ machines, pods: [...running, ...hostile] });
}
