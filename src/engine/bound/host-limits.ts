import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { PodShape } from '../scheduling/pod-shapes.ts';
import type { TopologyGroup } from '../scheduling/topology-groups.ts';
import type { Reaches } from './reach.ts';
import { countsEverywhere, respectedGroup } from './zone-limits.ts';

/** Pods of which no host gets more than a few. */
interface HostLimit {
  /** On a new node. */
  readonly most: number;
  /** By row: today, where that is more. */
  readonly now: ReadonlyMap<number, number>;
}

/** More would make the program large, and the first need the most nodes. */
const MOST_LIMITS = 3;

/**
 * Anti-affinity between pods of one kind, and spreads over hosts: each as one more resource, of which a pod asks for one and a
 * host has as many as it may have such pods. A pod goes to a host only if that has then no more, and otherwise pods only leave.
 */
export class HostLimits {
  private readonly list: readonly HostLimit[];
  private readonly ofPod = new Map<number, number>();
  private readonly width: number;

  constructor(cluster: CompiledCluster, removable: readonly number[], reaches: Reaches) {
    const { shapeOfPod, rowOfPod, movableOfRow, requests } = cluster;
    this.width = requests.dimensions.size;
    const byGroup = new Map<TopologyGroup, number[]>();
    for (const pod of cluster.settings.compat ? [] : removable.flatMap((row) => movableOfRow[row])) {
      const shape = shapeOfPod[pod] as PodShape;
      const group = respectedGroup(cluster, pod, shape, 'byHost', ({ kind }) => kind !== 'affinity');
      if (group === undefined || !countsEverywhere(cluster, group, shape, reaches)) continue;
      byGroup.set(group, [...(byGroup.get(group) ?? []), pod]);
    }
    const nodes = ([group, pods]: readonly [TopologyGroup, readonly number[]]) => pods.length / mostOf(group);
    const first = [...byGroup].sort((a, b) => nodes(b) - nodes(a)).slice(0, MOST_LIMITS);
    this.list = first.map(([group, pods], limit) => {
      const now = new Map<number, number>();
      for (const pod of pods) {
        this.ofPod.set(pod, limit);
        now.set(rowOfPod[pod], (now.get(rowOfPod[pod]) ?? 0) + 1);
      }
      return { most: mostOf(group), now };
    });
  }

  /** -1 for none. */
  of(pod: number): number {
    return this.ofPod.get(pod) ?? -1;
  }

  /** What a pod with this limit asks for. */
  asked(amounts: Float64Array, limit: number): Float64Array {
    const all = new Float64Array(this.width + this.list.length);
    all.set(amounts);
    if (limit >= 0) all[this.width + limit] = 1;
    return all;
  }

  /** What a host has; `row`: of an existing one. */
  offered(capacity: Float64Array, row = -1): Float64Array {
    const all = new Float64Array(this.width + this.list.length);
    all.set(capacity);
    this.list.forEach(({ most, now }, limit) => {
      all[this.width + limit] = Math.max(most, now.get(row) ?? 0);
    });
    return all;
  }
}

function mostOf({ kind, maxSkew }: TopologyGroup): number {
  return kind === 'spread' ? maxSkew : 1;
}
