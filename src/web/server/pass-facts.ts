import type { PlanCoverage } from '../../engine/plan-document.ts';
import { count } from '../../report/money.ts';
import { tookInWords } from '../../report/plan-words.ts';
import type { PassTiming } from '../analysis/analysis-worker.ts';
import type { HealthFact } from '../settings-api.ts';

/** Slower passes get a warning: the cluster has changed by the time they finish. */
const SLOW_PASS_MS = 10_000;

/** `waits`: a controller acts on the result, so a slow pass is a fault. */
export function passFacts({ durationMs, coverage, simulated }: PassTiming, waits: boolean): HealthFact[] {
  const isSlow = waits && durationMs > SLOW_PASS_MS;
  const time: HealthFact = {
    name: 'pass time',
    value: `${tookInWords(durationMs)}${simulated === undefined ? '' : `, ${count(simulated, 'node')} simulated`}`,
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
