import type { SimulatedCluster } from './simulated-cluster.ts';

/** A controller that acts on the cluster through its port. */
export interface PassingController {
  /** `restUntilMs`: no pass before then could act, whatever happens. */
  reconcile(): Promise<{ readonly wakeAtMs: number | undefined; readonly restUntilMs?: number }>;
}

/** Delay between a change and the controller's next pass; changes within it are handled together. */
const REACTION_MS = 5_000;

const DAY_MS = 24 * 3_600_000;

/** A simulated cluster with its controller, if any. The controller runs a pass after changes and when it asked to be woken. */
export class ControlledCluster {
  readonly cluster: SimulatedCluster;
  private readonly controller: PassingController | undefined;
  private reconciledMs = Number.NEGATIVE_INFINITY;
  private wakeMs: number;
  private restMs = Number.NEGATIVE_INFINITY;
  private seenVersion = -1;

  constructor(cluster: SimulatedCluster, controller?: PassingController) {
    this.cluster = cluster;
    this.controller = controller;
    this.wakeMs = cluster.nowMs;
  }

  /**
   * Advances by `days` in equal steps. After each step it calls `passed` with the share of time that is over, and stops
   * early if that returns true.
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

  /** Advances virtual time. The result does not depend on where a caller stops on the way. */
  async advanceTo(untilMs: number): Promise<void> {
    const { controller } = this;
    while (controller !== undefined) {
      const dueMs = this.nextPassMs(untilMs);
      if (dueMs > untilMs) break;
      this.cluster.advanceTo(dueMs);
      const { wakeAtMs = Number.POSITIVE_INFINITY, restUntilMs = dueMs } = await controller.reconcile();
      this.reconciledMs = dueMs;
      this.seenVersion = this.cluster.world.version;
      this.wakeMs = Math.max(wakeAtMs, dueMs + 1);
      this.restMs = restUntilMs;
    }
    this.cluster.advanceTo(untilMs);
  }

  /** Time of the next pass, or a time after `untilMs`. Runs events until one changes the cluster. */
  private nextPassMs(untilMs: number): number {
    const { cluster } = this;
    while (cluster.world.version === this.seenVersion) {
      const nextMs = cluster.nextMs ?? Number.POSITIVE_INFINITY;
      if (nextMs > Math.min(untilMs, this.wakeMs)) return this.wakeMs;
      cluster.advanceTo(nextMs);
    }
    return Math.max(cluster.nowMs, this.restMs, Math.min(this.wakeMs, this.reconciledMs + REACTION_MS));
  }
}
