import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { GroupId } from '../scheduling/group-rules.ts';

/** Pods of a node that count against each other on one host. */
interface Crowd {
  readonly group: GroupId;
  readonly pods: number;
  /** So many of them one host may have. */
  readonly most: number;
}

/** What a node's pods would bring to one host, by the spreads over hosts and anti-affinities that they insist on. */
export function crowdsOf(cluster: CompiledCluster, row: number): readonly Crowd[] {
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

/** A host in the making. */
export class CrowdedHost {
  private readonly pods = new Map<GroupId, number>();

  takes(crowds: readonly Crowd[]): boolean {
    return crowds.every(({ group, pods, most }) => {
      const there = this.pods.get(group) ?? 0;
      return there === 0 || there + pods <= most;
    });
  }

  take(crowds: readonly Crowd[]): void {
    for (const { group, pods } of crowds) this.pods.set(group, (this.pods.get(group) ?? 0) + pods);
  }
}
