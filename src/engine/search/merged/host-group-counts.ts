import type { CompiledCluster } from '../../scheduling/compiled-cluster.ts';
import type { GroupId } from '../../scheduling/group-rules.ts';

/** Pods of a node that count against each other on one host, by topology group. */
export interface HostGroupCount {
  readonly group: GroupId;
  readonly pods: number;
  /** How many of them one host may have. */
  readonly most: number;
}

/** What a node's pods would add to one host, by the host spreads and anti-affinities that they require. */
export function hostGroupCounts(cluster: CompiledCluster, row: number): readonly HostGroupCount[] {
  const { movableOfRow, shapeOfPod, membershipOfPod, groups } = cluster;
  const pods = new Map<GroupId, number>();
  for (const pod of movableOfRow[row]) {
    for (const group of shapeOfPod[pod]?.stages.at(-1)?.byHost ?? []) {
      const counts = groups.list[group].kind !== 'affinity' && membershipOfPod[pod].counted.includes(group);
      if (counts) pods.set(group, (pods.get(group) ?? 0) + 1);
    }
  }
  return [...pods].map(([group, count]) => {
    const { kind, maxSkew } = groups.list[group];
    return { group, pods: count, most: kind === 'spread' ? maxSkew : 1 };
  });
}

/** A host that several nodes' pods are to share. */
export class PlannedHost {
  private readonly pods = new Map<GroupId, number>();

  takes(counts: readonly HostGroupCount[]): boolean {
    return counts.every(({ group, pods, most }) => {
      const there = this.pods.get(group) ?? 0;
      return there === 0 || there + pods <= most;
    });
  }

  take(counts: readonly HostGroupCount[]): void {
    for (const { group, pods } of counts) this.pods.set(group, (this.pods.get(group) ?? 0) + pods);
  }
}
