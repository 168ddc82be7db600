import type { Actor } from '../simulator/run.ts';
import type { SimulatedCluster } from '../simulator/simulated-cluster.ts';

/** Between something that happens and the controller's look at it: what comes within it is seen at once. */
const REACTION_MS = 5_000;

/** A simulated cluster with our controller at work in it: it looks when something has happened, and when it said it would. */
export class ControlledCluster {
  private readonly cluster: SimulatedCluster;
  private readonly controller: Actor;
  private tickedMs = Number.NEGATIVE_INFINITY;
  private wakeMs: number;
  private seenVersion = -1;

  constructor(cluster: SimulatedCluster, controller: Actor) {
    this.cluster = cluster;
    this.controller = controller;
    this.wakeMs = cluster.nowMs;
  }

  /** Lets time pass. Where one stops on the way makes no difference. */
  async advanceTo(untilMs: number): Promise<void> {
    for (let dueMs = this.nextLookMs(untilMs); dueMs <= untilMs; dueMs = this.nextLookMs(untilMs)) {
      this.cluster.advanceTo(dueMs);
      const { wakeAtMs = Number.POSITIVE_INFINITY } = await this.controller.tick();
      this.tickedMs = dueMs;
      this.seenVersion = this.cluster.world.version;
      this.wakeMs = Math.max(wakeAtMs, dueMs + 1);
    }
    this.cluster.advanceTo(untilMs);
  }

  /** Of the next look, if it is due by then; otherwise something later. Lets things happen until one does that matters. */
  private nextLookMs(untilMs: number): number {
    const { cluster } = this;
    while (cluster.world.version === this.seenVersion) {
      const nextMs = cluster.nextMs ?? Number.POSITIVE_INFINITY;
      if (nextMs > Math.min(untilMs, this.wakeMs)) return this.wakeMs;
      cluster.advanceTo(nextMs);
    }
    return Math.max(cluster.nowMs, Math.min(this.wakeMs, this.tickedMs + REACTION_MS));
  }
}
