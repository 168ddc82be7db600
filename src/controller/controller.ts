import type { ControllerSettings } from '../config/controller-settings.ts';
import type { ClusterObjects, NodeObject } from '../engine/cluster/objects.ts';
import { NODE_POOL } from '../engine/cluster/well-known.ts';
import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { stabilization } from '../engine/gates/stabilization.ts';
import { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { Rules } from '../engine/settings.ts';
import { ActionExecutor } from './action-executor.ts';
import { AdaptiveThresholds } from './adaptive-thresholds.ts';
import type { BrakeState } from './brakes.ts';
import type { ClusterPort, ClusterView } from './cluster-port.ts';
import { type Command, isOpen } from './command.ts';
import { EvictionPrices } from './eviction-prices.ts';
import { Execution } from './execution.ts';
import { ForgoneSavings } from './forgone-savings.ts';
import { Governance, governed, OFF, type PoolGovernance } from './governance.ts';
import { GraceWindows } from './grace-windows.ts';
import { forgettable } from './journal.ts';
import { isUnderWay, withLeaving, withTaken } from './leaving.ts';
import { NodeRemovals } from './node-removals.ts';
import { type ControllerOptions, type Times, USUAL_JOURNAL_LIMIT, USUAL_TIMES } from './options.ts';
import { makePass, type Pass } from './pass.ts';
import type { PassContext } from './pass-context.ts';
import { withEvicted } from './pods-in-transit.ts';
import { Polling } from './polling.ts';
import type { Idleness, ReconcileReport } from './report.ts';
import { extrasLeft, withoutRolled } from './rolling.ts';
import { ScaleIns } from './scale-ins.ts';
import { softTaintActions, steering, unsteeringActions } from './steering.ts';

/** A cluster as decisions see it, with its rules. */
export interface DecisionView {
  readonly objects: ClusterObjects;
  readonly rules: Rules;
  readonly poolGovernance: ReadonlyMap<string, PoolGovernance>;
}

/**
 * Observes, decides, waits, validates, executes and verifies. Does no I/O, and takes the time from the view. Every
 * reconciliation starts from the cluster and its journal: a controller that takes over continues where the last one
 * stopped. State kept in memory only saves work (planned placements, time of the last pass) or costs one more
 * evaluation (grace periods).
 */
export class Controller {
  private readonly port: ClusterPort;
  private readonly options: ControllerOptions;
  private readonly times: Times;
  private readonly governance: Governance;
  private readonly grace = new GraceWindows();
  private readonly removals = new NodeRemovals();
  private readonly brakeState: BrakeState;
  private readonly polling: Polling;
  private readonly incremental: IncrementalCluster;
  private readonly adaptive: AdaptiveThresholds | undefined;
  /** Nodes of the plan that are steered; undefined before the first pass. */
  private steered: ReadonlySet<string> | undefined;
  /** Whether left-over deletion costs may be removed. */
  private mayPatchPods = true;
  private readonly scaleIns = new ScaleIns();
  /** Nodes of open commands that this process has tainted. */
  private tainted: ReadonlySet<string> = new Set();
  /** Consecutive reconciliations with a failed action. */
  private failuresInARow = 0;

  constructor(port: ClusterPort, options: ControllerOptions) {
    const { interlock = true, allowBundledSpot, settings } = options;
    this.port = port;
    this.options = options;
    this.times = { ...USUAL_TIMES, pollMs: settings.pollingPeriodMs, ...options.times };
    this.governance = new Governance({ interlock, compat: settings.compat, allowBundledSpot });
    this.brakeState = {
      timing: options.timing ?? new ForgoneSavings(),
      prices: new EvictionPrices(settings.evictionPriceMs),
    };
    this.polling = new Polling(this.times);
    this.incremental = new IncrementalCluster(settings.compat ? {} : settings);
    this.adaptive = adaptiveThresholds(settings);
  }

  /** One reconciliation. Must not be called again before it resolves. */
  async reconcile(): Promise<ReconcileReport> {
    const executor = new ActionExecutor(this.port);
    if (this.options.mode === 'act') await this.carryOn(executor);
    const view = this.port.view();
    if (view === undefined) return this.report(executor, new Map(), { idle: { code: 'unsynced' } });
    const poolGovernance = this.poolGovernance(view);
    const outcome = await this.consider(view, poolGovernance, executor);
    if (this.options.mode === 'act') await this.keepPodsOff(view, executor);
    this.failuresInARow = executor.failures.length === 0 ? 0 : this.failuresInARow + 1;
    if (this.failuresInARow > 0) executor.wakeAt(view.objects.nowMs + this.retryMs());
    return { ...this.report(executor, poolGovernance, outcome), ...this.rest(view, executor) };
  }

  /** `view`: from before anything began that the executor does not report. */
  private rest(
    { commands }: ClusterView,
    { failures, transitions }: ActionExecutor,
  ): Pick<ReconcileReport, 'restUntilMs'> {
    const isAtWork = failures.length + transitions.length > 0 || commands.some(isOpen);
    return isAtWork ? {} : { restUntilMs: this.polling.soonestMs };
  }

  /** An admission webhook that denied something is likely to deny it again. */
  private retryMs(): number {
    const { retryMs, longestRetryMs } = this.times;
    return Math.min(longestRetryMs, retryMs * 2 ** (this.failuresInARow - 1));
  }

  /** The input of a pass now, for displays; undefined while caches are not synced. */
  decisionView(): DecisionView | undefined {
    const view = this.port.view();
    if (view === undefined) return undefined;
    const poolGovernance = this.governance.poolGovernance(view);
    return { objects: passObjects(view, poolGovernance), rules: this.rules(poolGovernance), poolGovernance };
  }

  /** Open commands first: they hold nodes, taints and budgets. */
  private async carryOn(executor: ActionExecutor): Promise<void> {
    await new Execution(this.port, executor, {
      times: this.times,
      stabilizationWindowMs: this.options.settings.stabilizationWindowMs,
      contextOf: (view) => this.context(view),
      lastRemoval: (view) => this.removals.last(view),
    }).advance();
    const view = this.port.view();
    if (view === undefined) return;
    const { settings, journalLimit = USUAL_JOURNAL_LIMIT } = this.options;
    const memoryMs = Math.max(
      settings.stabilizationWindowMs,
      settings.poolCooldownMs,
      settings.maxWorkloadEvictions > 0 ? settings.workloadEvictionWindowMs : 0,
      settings.adaptiveThreshold === 'off' ? 0 : settings.adaptiveWindowMs,
    );
    await executor.take(extrasLeft(view.objects, view.commands));
    const forgotten = forgettable(view.commands, journalLimit, memoryMs, view.objects.nowMs);
    await executor.take(forgotten.map(({ id }) => ({ kind: 'forget-command', command: id })));
  }

  /** Runs a pass if one is due and allowed, and begins its proposals. */
  private async consider(
    view: ClusterView,
    poolGovernance: ReadonlyMap<string, PoolGovernance>,
    executor: ActionExecutor,
  ): Promise<{ readonly idle: Idleness } | { readonly pass: Pass }> {
    const { objects, commands, policies } = view;
    const { nowMs } = objects;
    const { settings, mode } = this.options;
    const unsettled = stabilization(this.removals.last(view), objects, settings.stabilizationWindowMs);
    if (unsettled?.code === 'stabilization') {
      executor.wakeAt(nowMs + Math.min(unsettled.waitMs, this.times.pollMs));
      return { idle: unsettled };
    }
    const busy = busyPools(commands);
    const ours = [...poolGovernance.values()].filter((s) => s.blockReason === undefined);
    if (ours.length > 0 && ours.every((s) => busy.has(s.pool))) return { idle: { code: 'busy' } };
    const { nowMs: _, ...timeless } = objects;
    const windows = [...poolGovernance.values()].map((s) => s.window);
    const seen = { timeless, policies, windows, busy: [...busy].sort() };
    if (!this.polling.isDue(seen, nowMs)) {
      executor.wakeAt(this.polling.nextMs(seen, nowMs));
      return { idle: { code: 'paused' } };
    }
    this.grace.update(objects, poolGovernance);
    if (settings.steer) this.scaleIns.observe(objects);
    const pass = await makePass(
      {
        objects: passObjects(view, poolGovernance),
        journal: commands,
        rules: this.rules(poolGovernance),
        settings,
        incremental: this.incremental,
        brakeState: this.brakeState,
        mayPropose: (pool) => !busy.has(pool) && isProposable(poolGovernance.get(pool), mode),
      },
      this.options,
    );
    this.grace.passed(pass, poolGovernance);
    this.adaptive?.passed(pass, commands);
    const begins = mode === 'act' && pass.report.proposals.some((p) => p.refusal === undefined);
    const timedMs = earliest(pass.wakeAtMs, this.grace.nextExpiryMs(nowMs));
    this.polling.passed(begins ? undefined : seen, nowMs, timedMs);
    executor.wakeAt(this.polling.nextMs(seen, nowMs));
    if (begins) await this.begin(pass, executor);
    const steerable = { ...objects, pods: withoutRolled(objects, commands) };
    if (mode === 'act' && settings.steer) await this.steer(steerable, poolGovernance, pass, executor);
    else if (mode === 'act') await this.unsteer(steerable, executor);
    return { pass };
  }

  private async begin({ report }: Pass, executor: ActionExecutor): Promise<void> {
    for (const { command, refusal } of report.proposals) {
      if (refusal !== undefined) continue;
      // Whether it was written is unknown: read the cluster before anything else begins.
      if (!(await executor.save(command))) {
        if (executor.wasRejected) continue;
        return;
      }
      executor.wakeAt(command.phaseMs + this.times.validationMs);
    }
  }

  private async steer(
    objects: ClusterObjects,
    poolGovernance: ReadonlyMap<string, PoolGovernance>,
    { planned, report }: Pass,
    executor: ActionExecutor,
  ): Promise<void> {
    if (executor.failures.length > 0) return;
    const begun = report.proposals
      .filter(({ refusal }) => refusal === undefined)
      .flatMap(({ command }) => command.nodes);
    const taken = new Set(begun.map(({ node }) => node));
    const isOurs = ({ labels }: NodeObject) => isProposable(poolGovernance.get(labels[NODE_POOL] ?? ''), 'act');
    const waiting = planned.filter((node) => !taken.has(node));
    const { nodes, actions } = steering(objects, waiting, isOurs, this.scaleIns.of(objects));
    this.steered = nodes;
    await executor.take(actions);
  }

  /** A controller that does not steer may lack the permission to patch pods: it tries until it is told so; costs end with their pods. */
  private async unsteer({ pods }: ClusterObjects, executor: ActionExecutor): Promise<void> {
    if (!this.mayPatchPods || executor.failures.length > 0) return;
    this.mayPatchPods = (await executor.take(unsteeringActions(pods))) || !executor.wasRejected;
  }

  /**
   * While a command is open, kube-scheduler keeps new pods off its nodes if others have capacity: the move was
   * evaluated without them. Removes taints that an earlier process left. `view`: from before anything began that the
   * executor does not report.
   */
  private async keepPodsOff({ objects, commands }: ClusterView, executor: ActionExecutor): Promise<void> {
    const { compat, steer } = this.options.settings;
    const current = new Map([...commands, ...executor.transitions].map((c) => [c.id, c]));
    const underWay = compat ? [] : [...current.values()].filter(isUnderWay);
    const leaving = new Set([...underWay.flatMap((c) => c.nodes.map((n) => n.node)), ...(this.steered ?? [])]);
    // Before the first pass it is unknown which nodes are steered.
    const isKept = ({ steered }: NodeObject) => steer && this.steered === undefined && steered === true;
    await executor.take(softTaintActions(objects, (node) => leaving.has(node.name) || isKept(node)));
  }

  private context(view: ClusterView): PassContext {
    const poolGovernance = this.poolGovernance(view);
    return {
      objects: governed(observed(view), poolGovernance),
      rules: this.rules(poolGovernance),
      incremental: this.incremental,
      mayAct: (pool) => isProposable(poolGovernance.get(pool), 'act'),
    };
  }

  private poolGovernance(view: ClusterView): ReadonlyMap<string, PoolGovernance> {
    const given = this.governance.poolGovernance(view);
    const { nowMs } = view.objects;
    return this.brakeState.prices.applied(this.adaptive?.applied(given, view.commands, nowMs) ?? given, nowMs);
  }

  private rules(poolGovernance: ReadonlyMap<string, PoolGovernance>): Rules {
    return {
      settings: this.options.settings,
      policyOf: ({ name }): PoolPolicy => poolGovernance.get(name)?.policy ?? OFF,
      protectedUntilMs: (node) => this.grace.protectedUntilMs(node),
    };
  }

  private report(
    executor: ActionExecutor,
    poolGovernance: ReadonlyMap<string, PoolGovernance>,
    outcome: { readonly idle: Idleness } | { readonly pass: Pass },
  ): ReconcileReport {
    const { transitions, failures, steeringWrites, held, nextMs, tainted } = executor;
    const restoredTaints = tainted.filter((node) => this.tainted.has(node));
    const open = new Set(this.port.view()?.commands.flatMap((c) => (isOpen(c) ? c.nodes.map((n) => n.node) : [])));
    this.tainted = new Set([...this.tainted, ...tainted].filter((node) => open.has(node)));
    const came = 'idle' in outcome ? outcome : { pass: outcome.pass.report };
    const levels = this.adaptive === undefined ? {} : { thresholds: this.adaptive.current };
    return {
      wakeAtMs: nextMs,
      transitions,
      failures,
      steeringWrites,
      held,
      restoredTaints,
      poolGovernance,
      ...levels,
      ...came,
    };
  }
}

/** Nodes of commands under way, ours and Karpenter's, count as leaving, and every pool has the fields of its policy. */
function passObjects(view: ClusterView, poolGovernance: ReadonlyMap<string, PoolGovernance>): ClusterObjects {
  return governed(withLeaving(observed(view), view.commands.filter(isUnderWay)), poolGovernance);
}

/** What Karpenter is removing and what our drains have evicted counts as such, before the API server shows all of it. */
function observed({ objects, commands }: ClusterView): ClusterObjects {
  return withEvicted(withTaken(objects, commands), commands);
}

function adaptiveThresholds(settings: ControllerSettings): AdaptiveThresholds | undefined {
  const { adaptiveThreshold: bounds, adaptiveTarget, adaptiveFactor, adaptiveStepCents, adaptiveWindowMs } = settings;
  if (bounds === 'off') return undefined;
  return new AdaptiveThresholds({
    ...bounds,
    targetPerPodDay: adaptiveTarget,
    factor: adaptiveFactor,
    stepCents: adaptiveStepCents,
    windowMs: adaptiveWindowMs,
  });
}

/** Pools with a command that is not draining yet: the next wave is planned once it is. */
function busyPools(commands: readonly Command[]): ReadonlySet<string> {
  const open = commands.filter((c) => isOpen(c) && c.phase !== 'draining');
  return new Set(open.flatMap((c) => [...c.nodes, ...c.replacements].map((n) => n.nodePool)));
}

/** In observe mode, moves are also proposed in pools that are only observed. */
function isProposable(governance: PoolGovernance | undefined, mode: ControllerOptions['mode']): boolean {
  const { blockReason } = governance ?? {};
  if (governance === undefined || blockReason === undefined) return governance !== undefined;
  return mode === 'observe' && (blockReason.code === 'interlock' || blockReason.code === 'prices');
}

function earliest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b);
}
