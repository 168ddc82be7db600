import type { PlanCoverage } from '../../engine/plan-document.ts';
import type { HealthFact } from '../settings-api.ts';

/** Passes that are slower than this are worth a warning: the cluster has changed by the time they are over. */
const SLOW_PASS_MS = 10_000;

/** Duration of the pass, and its coverage. */
export interface Pass {
  readonly durationMs: number;
  readonly coverage?: PlanCoverage;
}

/** `waits`: somebody acts on it, so that being slow is a fault. */
export function passFacts({ durationMs, coverage }: Pass, waits: boolean): HealthFact[] {
  const isSlow = waits && durationMs > SLOW_PASS_MS;
  const time: HealthFact = {
    name: 'pass time',
    value: `${durationMs.toFixed(0)} ms`,
    status: isSlow ? 'warning' : 'ok',
  };
  return coverage === undefined ? [time] : [time, coverageFact(coverage)];
}

function coverageFact({ candidates, examined }: PlanCoverage): HealthFact {
  const all = examined === candidates;
  return {
    name: 'coverage',
    value: all ? `all ${candidates} candidates` : `${examined} of ${candidates} candidates`,
    status: all ? 'ok' : 'warning',
  };
}
