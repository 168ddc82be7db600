import type { ClusterView } from '../controller/cluster-port.ts';
import { type Command, commandKindOf, isOpen } from '../controller/command.ts';
import type { PassReport, ReconcileReport } from '../controller/report.ts';
import type { BlockerPrices } from '../engine/blockers/price.ts';
import { beyondLimits } from '../report/limit-words.ts';
import type { OperatorMetrics } from './metrics.ts';

/** A second eviction of the same workload within this time counts as a re-eviction. */
const AGAIN_MS = 30 * 60_000;
const BLOCK_REASONS = ['interlock', 'conflict', 'invalid-policy', 'deleting', 'prices'] as const;
const PHASES = ['waiting', 'launching', 'draining', 'undoing'] as const;

/** Updates the metrics from one call of `Controller.reconcile`. */
export function measure(metrics: OperatorMetrics, report: ReconcileReport, view: ClusterView | undefined): void {
  const { transitions, failures, held, poolGovernance, pass, idle, thresholds = [], steeringWrites } = report;
  metrics.reconciliations.inc({ result: idle?.code ?? 'pass' });
  for (const command of transitions) measureTransition(metrics, command, view?.commands ?? []);
  metrics.taintsRestored.inc(report.restoredTaints.length);
  for (const { action } of failures) metrics.actionFailures.inc({ action: action.kind });
  metrics.steeringWrites.inc({ object: 'node' }, steeringWrites.nodes);
  metrics.steeringWrites.inc({ object: 'pod' }, steeringWrites.pods);
  countInto(metrics.heldCommands, 'reason', held.values());
  // Without a view, gauges keep their last values.
  if (view !== undefined) {
    const blockReasons = [...poolGovernance.values()].flatMap((s) => s.blockReason?.code ?? []);
    countInto(metrics.blockedPools, 'reason', blockReasons, BLOCK_REASONS);
    const { prices, nowMs } = view.objects;
    metrics.priceAge.reset();
    if (prices?.atMs !== undefined) metrics.priceAge.set({ source: prices.name }, (nowMs - prices.atMs) / 1000);
    countInto(
      metrics.undecodable,
      'kind',
      view.objects.undecodable.map((o) => o.kind),
    );
    if (pass !== undefined) measureLimits(metrics, view);
    const phases = view.commands.filter(isOpen).map((c) => (c.reason === undefined ? c.phase : 'undoing'));
    countInto(metrics.openCommands, 'phase', phases, PHASES);
    metrics.steeredNodes.set(view.objects.nodes.filter(({ steered }) => steered === true).length);
  }
  metrics.threshold.reset();
  for (const [nodepool, { cents }] of thresholds) metrics.threshold.set({ nodepool }, cents);
  if (pass === undefined) return;
  measurePass(metrics, pass);
}

function measureLimits({ beyondLimits: gauge }: OperatorMetrics, { objects }: ClusterView): void {
  gauge.reset();
  for (const kind of ['Pod', 'CapacityBuffer']) gauge.set({ kind }, 0);
  for (const { kind, objects: count } of beyondLimits(objects)) gauge.inc({ kind }, count);
}

function measureTransition(metrics: OperatorMetrics, command: Command, journal: readonly Command[]): void {
  const { phase, reason, predicted, realised, rollouts = [] } = command;
  const hasRolled = rollouts.length > 0 && command.rollingMs !== undefined;
  if (hasRolled && phase === 'abandoned') metrics.rollouts.inc({ outcome: 'failed' }, rollouts.length);
  if (hasRolled && phase === 'draining' && reason === undefined)
    metrics.rollouts.inc({ outcome: 'done' }, rollouts.length);
  const labels = { kind: commandKindOf(command), method: methodOf(command) };
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
  for (const nodepool of pass.thresholdBlocked.keys()) metrics.thresholdBlocked.inc({ nodepool });
  metrics.refusedNodes.reset();
  for (const [code, nodes] of pass.refusals) metrics.refusedNodes.set({ code }, nodes);
  metrics.candidates.set(pass.coverage?.candidates ?? 0);
  metrics.examined.set(pass.coverage?.examined ?? 0);
  metrics.proposals.reset();
  for (const { command } of pass.proposals)
    metrics.proposals.inc({ kind: commandKindOf(command), method: methodOf(command) });
  for (const gauge of [metrics.nodes, metrics.cost, metrics.plannedCost, metrics.budget]) gauge.reset();
  for (const [nodepool, figures] of pass.pools) {
    // Counters start at 0, so that rate() works from the first increment.
    metrics.thresholdBlocked.inc({ nodepool }, 0);
    metrics.nodes.set({ nodepool }, figures.nodes);
    metrics.cost.set({ nodepool }, figures.centsPerHour / 100);
    metrics.plannedCost.set({ nodepool }, figures.plannedCentsPerHour / 100);
    for (const [reason, nodes] of Object.entries(figures.budgets)) metrics.budget.set({ nodepool, reason }, nodes);
  }
}

/** Updates the metrics from a trial. */
export function measureBlockers(
  metrics: OperatorMetrics,
  { namespaces, totalCentsPerHour }: BlockerPrices,
  nowMs: number,
): void {
  metrics.blockedCost.reset();
  for (const { namespace, aloneCentsPerHour = 0, jointCentsPerHour = 0 } of namespaces) {
    metrics.blockedCost.set({ namespace, removed: 'alone' }, aloneCentsPerHour / 100);
    metrics.blockedCost.set({ namespace, removed: 'jointly' }, jointCentsPerHour / 100);
  }
  metrics.blockersCost.set(totalCentsPerHour / 100);
  metrics.blockersPriced.set(nowMs / 1000);
}

/** By what the command does; the journal does not record which search found it. */
export function methodOf({ nodes, replacements }: Command): 'emptiness' | 'single' | 'multi' {
  if (replacements.length === 0 && nodes.every((n) => n.pods === 0)) return 'emptiness';
  return nodes.length === 1 ? 'single' : 'multi';
}

/** Evicted pods of workloads that lost at least as many to another command within AGAIN_MS. */
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

/** Sets the gauge to the number of occurrences of each value. */
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
