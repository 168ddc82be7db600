import type { SimulatedCluster } from './simulated-cluster.ts';

/** Somebody who acts on a cluster through its port, such as the controller. */
export interface Actor {
  /** `restUntilMs`: before then nothing would come of another tick, whatever happens. */
  tick(): Promise<{ readonly wakeAtMs: number | undefined; readonly restUntilMs?: number }>;
}

/** Between something that happens and the controller's look at it: what comes within it is seen at once. */
const REACTION_MS = 5_000;

const DAY_MS = 24 * 3_600_000;

/** A simulated cluster and who is at work in it, if anybody: they look when something has happened, and when they said they would. */
export class AttendedCluster {
  readonly cluster: SimulatedCluster;
  private readonly actor: Actor | undefined;
  private tickedMs = Number.NEGATIVE_INFINITY;
  private wakeMs: number;
  private restMs = Number.NEGATIVE_INFINITY;
  private seenVersion = -1;

  constructor(cluster: SimulatedCluster, actor?: Actor) {
    this.cluster = cluster;
    this.actor = actor;
    this.wakeMs = cluster.nowMs;
  }

  /**
   * Lets so many days pass in even steps, and says after each how much of the time is over; whoever hears it may end the
   * run by answering true.
   */
  async run(
    days: number,
    steps: number,
    passed: (share: number) => boolean | undefined | Promise<boolean | undefined>,
  ): Promise<void> {
    const startMs = this.cluster.nowMs;
    for (let step = 1; step <= steps; step++) {
      await this.advanceTo(startMs + Math.round((step * days * DAY_MS) / steps));
      if (await passed(step / steps)) return;
    }
  }

  /** Lets time pass. Where one stops on the way makes no difference. */
  async advanceTo(untilMs: number): Promise<void> {
    const { actor } = this;
    while (actor !== undefined) {
      const dueMs = this.nextLookMs(untilMs);
      if (dueMs > untilMs) break;
      this.cluster.advanceTo(dueMs);
      const { wakeAtMs = Number.POSITIVE_INFINITY, restUntilMs = dueMs } = await actor.tick();
      this.tickedMs = dueMs;
      this.seenVersion = this.cluster.world.version;
      this.wakeMs = Math.max(wakeAtMs, dueMs + 1);
      this.restMs = restUntilMs;
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
    return Math.max(cluster.nowMs, this.restMs, Math.min(this.wakeMs, this.tickedMs + REACTION_MS));
  }
}
