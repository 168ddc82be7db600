import type { Command } from '../../controller/command.ts';
import type { PodObject } from '../../engine/cluster/objects.ts';
import { isReschedulable } from '../../engine/cluster/pods.ts';

/** As in simulations: an eviction within this time after the last one counts as a re-eviction. */
const AGAIN_MS = 30 * 60_000;
/** Times of API objects are whole seconds. */
const SECOND_MS = 1000;

interface Evicted {
  readonly atMs: number;
  readonly command: string;
}

/**
 * Counts pods that replaced an evicted pod and are evicted themselves. The successor of an evicted pod is one of the
 * same owner that was created after it, each of one.
 */
export class EvictedAgain {
  private readonly byOwner = new Map<string, Evicted[]>();
  private readonly again = new Map<string, number>();

  /** The command has begun to delete its nodes; `pods` are the current ones. */
  draining({ id, nodes, phaseMs }: Command, pods: readonly PodObject[]): void {
    const names = new Set(nodes.map(({ node }) => node));
    let again = 0;
    for (const pod of pods) {
      const owner = pod.owners.find(({ controller }) => controller)?.uid;
      if (owner === undefined || !names.has(pod.nodeName) || !isReschedulable(pod)) continue;
      const before = (this.byOwner.get(owner) ?? []).filter(({ atMs }) => phaseMs - atMs <= AGAIN_MS);
      const replaced = before.findIndex(({ atMs, command }) => command !== id && atMs < pod.createdMs + SECOND_MS);
      if (replaced >= 0) {
        before.splice(replaced, 1);
        again++;
      }
      this.byOwner.set(owner, [...before, { atMs: phaseMs, command: id }]);
    }
    this.again.set(id, again);
    this.forget(phaseMs);
  }

  /** The command is complete; returns how many of its evictions are re-evictions. */
  done({ id }: Command): number {
    const again = this.again.get(id) ?? 0;
    this.again.delete(id);
    return again;
  }

  /** The command was abandoned without deleting nodes. */
  abandoned({ id }: Command): void {
    this.again.delete(id);
    for (const [owner, list] of this.byOwner)
      this.byOwner.set(
        owner,
        list.filter(({ command }) => command !== id),
      );
  }

  private forget(nowMs: number): void {
    for (const [owner, list] of this.byOwner)
      if (list.every(({ atMs }) => nowMs - atMs > AGAIN_MS)) this.byOwner.delete(owner);
  }
}
