import type { NodePoolObject } from '../cluster/objects.ts';
import type { PoolPolicy } from './pool-policy.ts';

/** A node that was evaluated and is kept. */
export interface KeptNode {
  readonly name: string;
  readonly pool: NodePoolObject;
  readonly policy: PoolPolicy;
  /** When the last pod came or went, or the node was initialized. */
  readonly idleSinceMs: number;
}

interface Window {
  readonly untilMs: number;
  readonly idleSinceMs: number;
}

/**
 * Tracks grace periods (grace period document): a node that was idle for consolidateAfter and whose evaluation found
 * nothing to do is not evaluated for consolidationGracePeriod, counted from when it became consolidatable; then it is
 * evaluated again, and a new window starts. A pod event ends the window. Pods may be scheduled to it meanwhile.
 *
 * Nothing is stored: after a restart each node is evaluated once more, and then protected until the same time as
 * before, or for a new window if it was in a later one.
 */
export class GraceObserver {
  private readonly windows = new Map<string, Window>();

  /** The node was evaluated without result. */
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
    // A late report of an event that the evaluation already knew.
    if (window !== undefined && atMs > window.idleSinceMs) this.windows.delete(node);
  }

  /** The node is gone, or its pool's policy has changed. */
  forget(node: string): void {
    this.windows.delete(node);
  }

  /** For `Rules.protectedUntilMs`. */
  protectedUntilMs(node: string): number | undefined {
    return this.windows.get(node)?.untilMs;
  }

  /** When the next window ends, which needs a pass even if nothing changes; undefined if none is open. */
  nextExpiryMs(nowMs: number): number | undefined {
    let next: number | undefined;
    for (const { untilMs } of this.windows.values())
      if (untilMs > nowMs && (next === undefined || untilMs < next)) next = untilMs;
    return next;
  }
}
