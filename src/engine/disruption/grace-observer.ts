import type { NodePoolObject } from '../cluster/objects.ts';
import type { PoolPolicy } from './pool-policy.ts';

/** A node that was evaluated and is kept. */
export interface KeptNode {
  readonly name: string;
  readonly pool: NodePoolObject;
  readonly policy: PoolPolicy;
  /** When the last pod came or went, or the node came up. */
  readonly idleSinceMs: number;
}

interface Window {
  readonly untilMs: number;
  readonly idleSinceMs: number;
}

/**
 * Keeps track of grace periods (grace period document): a node that was quiet for consolidateAfter and
 * that an evaluation found nothing to do with is left alone as a source for consolidationGracePeriod from
 * the moment it became consolidatable; then it is evaluated again, and a new window starts. A pod event
 * ends the window. Pods may come to it all the while.
 *
 * Nothing of this is stored anywhere else: after a restart each node is evaluated once more, and is then
 * protected until the same moment as before, or for a new window if it was in a later one.
 */
export class GraceObserver {
  private readonly windows = new Map<string, Window>();

  /** The node was evaluated and there was nothing to do. */
  evaluated({ name, pool, policy, idleSinceMs }: KeptNode, atMs: number): void {
    const { consolidateAfterMs, gracePeriodMs } = policy;
    if (gracePeriodMs === undefined || consolidateAfterMs === undefined || pool.replicas !== undefined) {
      this.windows.delete(name);
      return;
    }
    const consolidatableMs = idleSinceMs + consolidateAfterMs;
    if (atMs < consolidatableMs || this.isWithin(name, idleSinceMs, atMs)) return;
    const startMs = atMs < consolidatableMs + gracePeriodMs ? consolidatableMs : atMs;
    this.windows.set(name, { untilMs: startMs + gracePeriodMs, idleSinceMs });
  }

  private isWithin(name: string, idleSinceMs: number, atMs: number): boolean {
    const window = this.windows.get(name);
    return window !== undefined && window.idleSinceMs === idleSinceMs && atMs < window.untilMs;
  }

  /** A pod was scheduled to the node, left it, or ended on it. */
  podEvent(node: string, atMs: number): void {
    const window = this.windows.get(node);
    // Told late of what the evaluation knew already.
    if (window !== undefined && atMs > window.idleSinceMs) this.windows.delete(node);
  }

  /** The node is gone, or its pool's policy is another one. */
  forget(node: string): void {
    this.windows.delete(node);
  }

  /** What `Rules.protectedUntilMs` asks. */
  protectedUntilMs(node: string): number | undefined {
    return this.windows.get(node)?.untilMs;
  }

  /** When the next window ends: the time to look at the cluster again even if nothing happens; undefined: none is open. */
  nextExpiryMs(nowMs: number): number | undefined {
    let next: number | undefined;
    for (const { untilMs } of this.windows.values())
      if (untilMs > nowMs && (next === undefined || untilMs < next)) next = untilMs;
    return next;
  }
}
