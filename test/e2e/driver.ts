import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_SWITCHES } from '../../src/config/switch-values.ts';
import { isOpen } from '../../src/controller/command.ts';
import { Controller } from '../../src/controller/controller.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import type { TickReport } from '../../src/controller/report.ts';
import type { LiveCluster } from '../../src/live/live-cluster.ts';
import { waitFor } from './control-plane/readiness.ts';

/** As in production, but in a hurry. */
export const HURRIED: ControllerOptions = {
  mode: 'act',
  switches: { ...DEFAULT_SWITCHES, stabilizationWindowMs: 0, utilizationThreshold: 1 },
  times: { validationMs: 1_000, pollMs: 500, retryMs: 500 },
};

/** Ticks a controller before a live cluster. */
export class Driver {
  readonly reports: TickReport[] = [];
  private readonly port: LiveCluster;
  private readonly controller: Controller;

  constructor(port: LiveCluster, options: Partial<ControllerOptions> = {}) {
    this.port = port;
    this.controller = new Controller(port, { ...HURRIED, ...options, times: { ...HURRIED.times, ...options.times } });
  }

  async tick(): Promise<TickReport> {
    const report = await this.controller.tick();
    this.reports.push(report);
    return report;
  }

  /** Ticks until nothing is under way and a look at the cluster finds nothing more to do. */
  async settle(timeoutMs = 240_000): Promise<void> {
    await waitFor(
      'the controller has nothing left to do',
      async () => {
        const { pass } = await this.tick();
        const commands = this.port.view()?.commands;
        const idle = pass !== undefined && pass.proposals.length === 0;
        return idle && commands !== undefined && !commands.some(isOpen);
      },
      { timeoutMs, pauseMs: 200, onTimeout: () => this.#told() },
    );
  }

  async until(what: string, holds: (report: TickReport) => boolean, timeoutMs = 240_000): Promise<TickReport> {
    const ask = async () => {
      const report = await this.tick();
      return holds(report) && report;
    };
    return waitFor(what, ask, { timeoutMs, pauseMs: 200, onTimeout: () => this.#told() });
  }

  /** For so long, whatever comes of it. */
  async tickFor(ms: number): Promise<void> {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs) {
      await this.tick();
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
