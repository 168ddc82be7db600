import type { ClusterObjects, NodeClaimObject } from '../engine/cluster/objects.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import { GraceObserver } from '../engine/disruption/grace-observer.ts';
import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { idleSinceMs } from '../engine/gates/idle-since.ts';
import type { PoolGovernance } from './governance.ts';
import type { Pass } from './pass.ts';
import { sameValue } from './same-value.ts';

/** Feeds the observer of grace periods: evaluations without result, pod events, deleted nodes and changed policies. */
export class GraceWindows {
  private readonly observer = new GraceObserver();
  private readonly watched = new Map<string, PoolPolicy>();

  /** To be called with the current cluster before the gates. */
  update({ nodeClaims }: ClusterObjects, poolGovernance: ReadonlyMap<string, PoolGovernance>): void {
    if (this.watched.size === 0) return;
    const there = new Map<string, NodeClaimObject>();
    for (const claim of nodeClaims) if (this.watched.has(claim.nodeName)) there.set(claim.nodeName, claim);
    for (const [node, policy] of this.watched) {
      const claim = there.get(node);
      const governance = poolGovernance.get(claim?.labels[NODE_POOL] ?? '');
      if (claim !== undefined && sameValue(governance?.policy, policy)) {
        this.observer.podEvent(node, idleSinceMs(claim));
        continue;
      }
      this.observer.forget(node);
      this.watched.delete(node);
    }
  }

  /** After a pass that kept some nodes. */
  passed({ cluster, kept }: Pass, poolGovernance: ReadonlyMap<string, PoolGovernance>): void {
    for (const row of kept) {
      const { name, claim, labels } = cluster.rows[row];
      const pool = cluster.poolByName.get(labels[NODE_POOL] ?? '');
      const policy = poolGovernance.get(pool?.name ?? '')?.policy;
      if (claim === undefined || pool === undefined || policy === undefined) continue;
      this.observer.evaluated({ name, pool, policy, idleSinceMs: idleSinceMs(claim) }, cluster.objects.nowMs);
      if (this.observer.protectedUntilMs(name) !== undefined) this.watched.set(name, policy);
    }
  }

  protectedUntilMs(node: string): number | undefined {
    return this.observer.protectedUntilMs(node);
  }

  nextExpiryMs(nowMs: number): number | undefined {
    return this.observer.nextExpiryMs(nowMs);
  }
}
