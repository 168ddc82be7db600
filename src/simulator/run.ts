import type { LedgerSummary } from './ledger.ts';
import type { Scenario } from './scenario.ts';
import { SimulatedCluster, type SimulationOptions } from './simulated-cluster.ts';

/** Somebody who acts on a cluster through its port, such as the controller. */
export interface Actor {
  tick(): Promise<{ readonly wakeAtMs: number | undefined }>;
}

export interface RunOptions extends SimulationOptions {
  readonly days: number;
  /** Called now and then with the share of the time that has passed; true ends the run. */
  readonly progress?: (share: number) => Promise<boolean>;
}

const DAY_MS = 24 * 3_600_000;
/** So much virtual time passes between two reports of progress. */
const REPORT_MS = 3_600_000;

/** Lets the scenario run for so many days, or until told to stop, and says what it came to. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<LedgerSummary> {
  const cluster = new SimulatedCluster(scenario, options);
  const { startMs } = scenario;
  const endMs = startMs + options.days * DAY_MS;
  let reportMs = startMs + REPORT_MS;
  while (cluster.nowMs < endMs) {
    cluster.advanceTo(Math.min(endMs, reportMs));
    if (cluster.nowMs >= reportMs) {
      reportMs += REPORT_MS;
      if (await options.progress?.((cluster.nowMs - startMs) / (endMs - startMs))) break;
    }
  }
  return cluster.ledger.summary();
}
