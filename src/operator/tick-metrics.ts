import type { ClusterView } from '../controller/cluster-port.ts';
import { type Command, isOpen } from '../controller/command.ts';
import type { PassReport, TickReport } from '../controller/report.ts';
import type { OperatorMetrics } from './metrics.ts';

/** Pods of a workload that lost others within this time were moved for nothing. */
const AGAIN_MS = 30 * 60_000;
const PHASES = ['waiting', 'launching', 'draining', 'undoing'] as const;

/** Adds what a tick came to. */
export function measure(metrics: OperatorMetrics, report: TickReport, view: ClusterView | undefined): void {
  const { transitions, failures, held, standings, pass, idle, thresholds = [] } = report;
  metrics.ticks.inc({ result: idle?.code ?? 'pass' });
  for (const command of transitions) measureTransition(metrics, command, view?.commands ?? []);
  for (const { action } of failures) metrics.actionFailures.inc({ action: action.kind });
  countInto(metrics.heldCommands, 'reason', held.values());
  // Of a cluster that is not known nothing can be said: what was known last stands.
  if (view !== undefined) {
    const hindrances = [...standings.values()].flatMap((s) => s.hindrance?.code ?? []);
    countInto(metrics.hinderedPools, 'reason', hindrances, ['interlock', 'conflict', 'invalid-policy', 'deleting']);
    const phases = view.commands.filter(isOpen).map((c) => (c.reason === undefined ? c.phase : 'undoing'));
    countInto(metrics.openCommands, 'phase', phases, PHASES);
  }
  metrics.threshold.reset();
  for (const [nodepool, { cents }] of thresholds) metrics.threshold.set({ nodepool }, cents);
  if (pass !== undefined) measurePass(metrics, pass);
}

function measureTransition(metrics: OperatorMetrics, command: Command, journal: readonly Command[]): void {
  const { phase, reason, predicted, realised } = command;
  const labels = { kind: kindOf(command), method: methodOf(command) };
  if (phase === 'waiting' && reason === undefined) metrics.decisions.inc({ ...labels, outcome: 'begun' });
  else if (phase === 'abandoned') metrics.decisions.inc({ ...labels, outcome: 'abandoned' });
  else if (phase === 'draining' && reason === undefined) {
    metrics.evictions.inc(realised?.evictions ?? predicted.evictions);
    metrics.reevictions.inc(reevictions(command, journal));
  } else if (phase === 'done') {
    metrics.decisions.inc({ ...labels, outcome: 'done' });
    metrics.predictedSavings.inc(Math.max(0, predicted.savingsCentsPerHour) / 100);
    metrics.realisedSavings.inc(Math.max(0, (realised ?? predicted).savingsCentsPerHour) / 100);
  }
}

function measurePass(metrics: OperatorMetrics, pass: PassReport): void {
  metrics.passDuration.observe(pass.durationMs / 1000);
  metrics.lastPass.setToCurrentTime();
  for (const [nodepool, nodes] of pass.thresholdBlocked) metrics.thresholdBlocked.inc({ nodepool }, nodes);
  metrics.refusedNodes.reset();
  for (const [code, nodes] of pass.refusals) metrics.refusedNodes.set({ code }, nodes);
  metrics.candidates.set(pass.coverage?.candidates ?? 0);
  metrics.examined.set(pass.coverage?.examined ?? 0);
  metrics.proposals.reset();
  for (const { command } of pass.proposals) metrics.proposals.inc({ kind: kindOf(command), method: methodOf(command) });
  for (const gauge of [metrics.nodes, metrics.cost, metrics.plannedCost, metrics.budget]) gauge.reset();
  for (const [nodepool, figures] of pass.pools) {
    // A counter that is there before it first counts is one that a rate can be taken of.
    metrics.thresholdBlocked.inc({ nodepool }, 0);
    metrics.nodes.set({ nodepool }, figures.nodes);
    metrics.cost.set({ nodepool }, figures.centsPerHour / 100);
    metrics.plannedCost.set({ nodepool }, figures.plannedCentsPerHour / 100);
    for (const [reason, nodes] of Object.entries(figures.budgets)) metrics.budget.set({ nodepool, reason }, nodes);
  }
}

function kindOf({ replacements }: Command): 'delete' | 'replace' {
  return replacements.length === 0 ? 'delete' : 'replace';
}

/** By what the command is; how the search came to it is not written down. */
export function methodOf({ nodes, replacements }: Command): 'emptiness' | 'single' | 'multi' {
  if (replacements.length === 0 && nodes.every((n) => n.pods === 0)) return 'emptiness';
  return nodes.length === 1 ? 'single' : 'multi';
}

/** Pods that the command evicts of workloads that lost as many, or more, to others shortly before. */
export function reevictions({ id, workloads, drainingMs }: Command, journal: readonly Command[]): number {
  if (drainingMs === undefined) return 0;
  const before = journal.filter(
    (c) =>
      c.id !== id && c.drainingMs !== undefined && c.drainingMs <= drainingMs && c.drainingMs > drainingMs - AGAIN_MS,
  );
  return Object.entries(workloads).reduce((sum, [workload, pods]) => {
    const lately = before.reduce((n, c) => n + (c.workloads[workload] ?? 0), 0);
    return sum + Math.min(pods, lately);
  }, 0);
}

/** How often each value occurs, in place of what was there. */
function countInto<T extends string>(
  gauge: { reset(): void; set(labels: Partial<Record<T, string>>, value: number): void },
  label: T,
  values: Iterable<string>,
  always: readonly string[] = [],
): void {
  const counts = new Map(always.map((value) => [value, 0]));
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  gauge.reset();
  for (const [value, n] of counts) gauge.set({ [label]: value } as Record<T, string>, n);
}
