import type { PassReport, ReconcileReport } from '../../src/controller/report.ts';

/** Of a reconciliation without a pass, except for what is given. */
export function reconcileReport(own: Partial<ReconcileReport> = {}): ReconcileReport {
  return {
    wakeAtMs: undefined,
    transitions: [],
    failures: [],
    steeringWrites: { nodes: 0, pods: 0 },
    held: new Map(),
    restoredTaints: [],
    poolGovernance: new Map(),
    ...own,
  };
}

/** Of a pass that found nothing to do, except for what is given. */
export function passReport(own: Partial<PassReport> = {}): PassReport {
  return {
    refusals: new Map(),
    thresholdBlocked: new Map(),
    nodeRefusals: new Map(),
    proposals: [],
    centsPerHour: 1,
    plannedSavingsCentsPerHour: 1,
    pools: new Map(),
    durationMs: 1,
    ...own,
  };
}
