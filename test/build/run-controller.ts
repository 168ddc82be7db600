import { type ControllerSettings, DEFAULT_CONTROLLER_SETTINGS } from '../../src/config/controller-settings.ts';
import type { ClusterPort } from '../../src/controller/cluster-port.ts';
import { isOpen } from '../../src/controller/command.ts';
import { Controller } from '../../src/controller/controller.ts';
import type { ControllerOptions } from '../../src/controller/options.ts';
import type { ReconcileReport } from '../../src/controller/report.ts';
import type { FakeCluster } from './fake-cluster.ts';

export interface ControllerSketch extends Partial<Omit<ControllerOptions, 'settings'>> {
  readonly settings?: Partial<ControllerSettings>;
}

/** Enough for the few nodes of a test. */
const WORK = 60;

/** Acts, and takes the pools' own blocks for its policies, unless told otherwise. */
export function controllerOn(port: ClusterPort, { settings, ...sketch }: ControllerSketch = {}): Controller {
  return new Controller(port, {
    mode: 'act',
    interlock: false,
    work: WORK,
    ...sketch,
    settings: { ...DEFAULT_CONTROLLER_SETTINGS, ...settings },
  });
}

/**
 * Ticks whenever the controller wants to or something has happened, until the time is reached; a controller that died is
 * followed by a new one. Returns what every tick reported.
 */
export async function runUntil(
  port: FakeCluster,
  untilMs: number,
  sketch: ControllerSketch = {},
  first = controllerOn(port, sketch),
): Promise<readonly ReconcileReport[]> {
  let controller = first;
  const reports: ReconcileReport[] = [];
  for (;;) {
    const report = await controller.reconcile();
    reports.push(report);
    if (port.revive()) {
      controller = controllerOn(port, sketch);
      continue;
    }
    const next = Math.min(report.wakeAtMs ?? Infinity, port.nextMs() ?? Infinity);
    if (next > untilMs) {
      port.advanceTo(untilMs);
      return reports;
    }
    // A wish to be woken at once is granted once: otherwise time would stand still.
    port.advanceTo(next > port.nowMs ? next : port.nowMs + 1000);
  }
}

/** As `runUntil`, until nothing is under way and nothing is proposed any more. */
export async function runToRest(port: FakeCluster, sketch: ControllerSketch = {}): Promise<readonly ReconcileReport[]> {
  let controller = controllerOn(port, sketch);
  const reports: ReconcileReport[] = [];
  for (let i = 0; i < 400; i++) {
    const report = await controller.reconcile();
    reports.push(report);
    if (port.revive()) {
      controller = controllerOn(port, sketch);
      continue;
    }
    const resting = report.pass !== undefined && report.pass.proposals.length === 0;
    if (resting && !port.commands.some(isOpen)) return reports;
    const next = Math.min(report.wakeAtMs ?? Infinity, port.nextMs() ?? Infinity, port.nowMs + 60_000);
    port.advanceTo(next > port.nowMs ? next : port.nowMs + 1000);
  }
  throw new Error('the controller does not settle');
}
