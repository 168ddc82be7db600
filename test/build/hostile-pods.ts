import type { ClusterObjects, LabelSelector, PodAffinityTerm, PodObject } from '../../src/engine/cluster/objects.ts';
import { type ClusterSketch, cluster } from './cluster.ts';
import { machine } from './machine.ts';
import { type PodSketch, pendingPod, pod } from './pod.ts';

export interface HostilePods {
  readonly pods: number;
  /** Anti-affinity terms of each, no two of the cluster alike. */
  readonly terms: number;
  /** `everybody`: each term selects every pod; `nobody`: it selects none; `some`: each another half of the hostile pods. */
  readonly selecting: 'everybody' | 'nobody' | 'some';
  /** Topology key of the j-th term of the i-th pod. */
  readonly key: (i: number, j: number) => string;
  readonly sketch?: PodSketch;
}

/** Values of the label `value`; a term that selects some has another random half of them each. */
const VALUES = 64;

/** The selector of the j-th term of the i-th pod; no two are alike. */
export function hostileSelector(selecting: HostilePods['selecting'], i: number, j: number): LabelSelector {
  if (selecting === 'everybody') return { matchExpressions: [{ key: `absent-${i}-${j}`, operator: 'DoesNotExist' }] };
  if (selecting === 'nobody') return { matchLabels: { app: `absent-${i}-${j}` } };
  const values = Array.from({ length: VALUES }, (_, value) => value).filter((value) => hash(i, j, value) % 2 === 0);
  return { matchExpressions: [{ key: 'value', operator: 'In', values: values.map(String) }] };
}

/** Twenty nodes in three zones, two ordinary pods on each, and pending pods that are as expensive to place as they can be. */
export function hostileCluster({ pods, terms, selecting, key, sketch }: HostilePods): ClusterObjects {
  const antiAffinity = (i: number) =>
    Array.from(
      { length: terms },
      (_, j): PodAffinityTerm => ({ topologyKey: key(i, j), labelSelector: hostileSelector(selecting, i, j) }),
    );
  return besideOrdinaryPods(
    Array.from({ length: pods }, (_, i) => hostilePod(i, { requiredAntiAffinity: antiAffinity(i), ...sketch })),
  );
}

export function hostilePod(i: number, sketch: PodSketch): PodObject {
  const labels = { app: `hostile-${i}`, value: String(i % VALUES) };
  return pendingPod(`hostile-${i}`, { labels, cpu: 10, memory: 1, ...sketch });
}

export function besideOrdinaryPods(hostile: readonly PodObject[], more: ClusterSketch = {}): ClusterObjects {
  const machines = Array.from({ length: 20 }, (_, i) => machine(`n${i}`, { zone: `zone-${'abc'[i % 3]}` }));
  const running = Array.from({ length: 40 }, (_, i) => pod(`web-${i}`, { on: `n${i % 20}`, labels: { app: 'web' } }));
  return cluster({ machines, pods: [...running, ...hostile], ...more });
}

/** 32 bits that look random (the end of MurmurHash3). */
export function hash(...numbers: readonly number[]): number {
  let h = 0;
  for (const n of numbers) {
    h = Math.imul(h ^ n ^ (h >>> 15), 0x85ebca6b) + 0x9e3779b9;
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  }
  return (h ^ (h >>> 16)) >>> 0;
}
