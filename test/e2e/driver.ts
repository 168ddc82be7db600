import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_CONTROLLER_SETTINGS } from '../../src/config/controller-settings.ts';
import { isOpen } from '../../src/controller/command.ts';
import { Controller } from '../../src/controller/controller.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import type { ReconcileReport } from '../../src/controller/report.ts';
import type { LiveCluster } from '../../src/live/live-cluster.ts';
import { waitFor } from './control-plane/readiness.ts';

/** As in production, but in a hurry. */
export const HURRIED: ControllerOptions = {
  mode: 'act',
  settings: { ...DEFAULT_CONTROLLER_SETTINGS, stabilizationWindowMs: 0, utilizationThreshold: 1 },
  times: { validationMs: 1_000, pollMs: 500, retryMs: 500 },
};

/** Reconciles a controller before a live cluster. */
export class Driver {
  readonly reports: ReconcileReport[] = [];
  private readonly port: LiveCluster;
  private readonly controller: Controller;

  constructor(port: LiveCluster, options: Partial<ControllerOptions> = {}) {
    this.port = port;
    this.controller = new Controller(port, { ...HURRIED, ...options, times: { ...HURRIED.times, ...options.times } });
  }

  async reconcile(): Promise<ReconcileReport> {
    const report = await this.controller.reconcile();
    this.reports.push(report);
    return report;
  }

  /** Reconciles until nothing is under way and a pass finds nothing more to do. */
  async settle(timeoutMs = 240_000): Promise<void> {
    await waitFor(
      'the controller has nothing left to do',
      async () => {
        const { pass } = await this.reconcile();
        const commands = this.port.view()?.commands;
        const idle = pass !== undefined && pass.proposals.length === 0;
        return idle && commands !== undefined && !commands.some(isOpen);
      },
      { timeoutMs, pauseMs: 200, onTimeout: () => this.#told() },
    );
  }

  async until(
    what: string,
    holds: (report: ReconcileReport) => boolean,
    timeoutMs = 240_000,
  ): Promise<ReconcileReport> {
    const ask = async () => {
      const report = await this.reconcile();
      return holds(report) && report;
    };
    return waitFor(what, ask, { timeoutMs, pauseMs: 200, onTimeout: () => this.#told() });
  }

  /** For this long, whatever the result. */
  async reconcileFor(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs) {
      await this.reconcile();
      await sleep(200);
    }
  }

  #told(): string {
    const { unsynced, ...health } = this.port.health;
    const last = this.reports.at(-1);
    const failures = last?.failures.map(({ action, error }) => `${action.kind}: ${String(error)}`);
    const commands = this.port.view()?.commands.map(({ id, phase, reason }) => [id, phase, reason]);
    const idle = last?.idle ?? last?.pass?.proposals.map(({ refusal, command }) => refusal ?? command);
    return JSON.stringify({ health, unsynced: [...unsynced], failures, held: [...(last?.held ?? [])], commands, idle });
  }
}
