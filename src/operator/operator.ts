import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { ControllerSettings } from '../config/controller-settings.ts';
import type { ClusterView } from '../controller/cluster-port.ts';
import { Controller, type DecisionView } from '../controller/controller.ts';
import type { ControllerOptions, Times } from '../controller/options.ts';
import type { PoolFigures, ReconcileReport } from '../controller/report.ts';
import type { BlockerPrices } from '../engine/blockers/price.ts';
import type { KarpenterOptions } from '../engine/cluster/karpenter-options.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { ApiClient, ApiRequest } from '../live/api-client.ts';
import { boundLargeHeap } from '../live/heap-growth.ts';
import { LiveCluster, type LiveClusterOptions } from '../live/live-cluster.ts';
import { JOURNAL_RESOURCE } from '../live/resource.ts';
import { BlockerTrial } from './blocker-trial.ts';
import type { ElectionTimes } from './election.ts';
import { blockerEvents, eventsOf } from './event-list.ts';
import { EventWriter } from './event-writer.ts';
import { HealthServer } from './health-server.ts';
import { LeaderElector } from './leader-elector.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import { MeteredClient } from './metered-client.ts';
import { OperatorMetrics } from './metrics.ts';
import { Notifications } from './notifications.ts';
import type { StatusSources } from './policy-status.ts';
import { ReconcileLog } from './reconcile-log.ts';
import { measure, measureBlockers } from './reconcile-metrics.ts';
import { StatusWriter } from './status-writer.ts';
import { postTo, Webhook, type WebhookFormat } from './webhook.ts';

export interface OperatorOptions {
  readonly client: ApiClient;
  readonly mode: 'observe' | 'act';
  readonly settings: ControllerSettings;
  readonly search?: ControllerOptions['search'];
  readonly work?: number;
  readonly allowBundledSpot?: boolean;
  readonly times?: Partial<Times>;
  readonly loadCatalog: LiveClusterOptions['loadCatalog'];
  readonly catalogEveryMs?: number;
  /** Between trials of what blockers cost; 0: none. */
  readonly blockersEveryMs: number;
  readonly karpenter: Partial<KarpenterOptions>;
  /** undefined: leader election is off. */
  readonly lease?: { readonly namespace: string; readonly name: string; readonly times?: ElectionTimes };
  /** Unique among the replicas. */
  readonly identity: string;
  readonly version: string;
  /** Where notifications go; undefined: nowhere. */
  readonly webhook?: { readonly url: string; readonly format: WebhookFormat };
  readonly log: Log;
  /** Called after every successful write; tests crash the process there. */
  readonly onWritten?: (request: ApiRequest) => void;
  /** Called after every pass, with the view that it used. */
  readonly onReport?: (report: ReconcileReport, view: ClusterView | undefined) => void;
  /** Called when the process cannot work without a change of configuration. */
  readonly onFatal: (why: string) => void;
}

/** A pass that takes longer than this counts as stuck. */
const STUCK_MS = 15 * 60_000;
/** Longest computation before the event loop gets a turn. */
const SLICE_MS = 25;
/** Clock difference to the API server that is logged. */
const LOGGED_OFFSET_S = 5;
/** Time at shutdown for events that are not written yet. */
const FLUSH_MS = 2_000;

/** The process around the controller: watches, leader election, passes, metrics, events, status, logs. */
export class Operator {
  private readonly options: OperatorOptions;
  private readonly metrics = new OperatorMetrics();
  private readonly client: MeteredClient;
  private readonly cluster: LiveCluster;
  private readonly controller: Controller;
  private readonly elector: LeaderElector | undefined;
  private readonly loop: Loop;
  private readonly health: HealthServer;
  private readonly probes: HealthServer;
  private readonly events: EventWriter;
  private readonly notifications = new Notifications();
  private readonly webhook: Webhook | undefined;
  private readonly status: StatusWriter;
  private readonly lines: ReconcileLog;
  private readonly blockers: BlockerTrial;
  private stopping = false;
  private yieldedMs = 0;
  private pools: ReadonlyMap<string, PoolFigures> | undefined;
  private catalogProblem: string | undefined;
  private failing: ReadonlyMap<string, string> = new Map();
  private seen: ClusterView | undefined;
  private statusTimer: NodeJS.Timeout | undefined;
  private slowS = 0;

  constructor(options: OperatorOptions) {
    const { mode, settings, search, work, times, log, lease, identity } = options;
    const { metrics } = this;
    this.options = options;
    const client = new MeteredClient(options.client, metrics, options.onWritten);
    this.client = client;
    const nowMs = () => client.nowMs();
    this.cluster = new LiveCluster({
      client,
      loadCatalog: options.loadCatalog,
      catalogEveryMs: options.catalogEveryMs,
      karpenter: options.karpenter,
      autoscalers: settings.rollouts,
      beforeWrite: () => this.assertMayWrite(),
    });
    this.controller = new Controller(this.cluster, {
      mode,
      settings,
      times,
      clock: () => performance.now(),
      yieldToOthers: () => this.yieldToOthers(),
      ...(search === undefined ? {} : { search }),
      ...(work === undefined ? {} : { work }),
      allowBundledSpot: options.allowBundledSpot ?? false,
    });
    this.elector =
      lease === undefined
        ? undefined
        : new LeaderElector({
            ...lease,
            client,
            identity,
            log,
            clock: () => performance.now(),
            onChange: (leads) => this.leadershipChanged(leads),
          });
    this.loop = new Loop({
      reconcile: () => this.reconcile(),
      report: (report) => this.publish(report),
      mayReconcile: () => this.leads,
      onFailure: () => metrics.reconciliations.inc({ result: 'failed' }),
      log,
      wallMs: nowMs,
      clock: () => performance.now(),
    });
    this.events = new EventWriter({
      client,
      instance: identity,
      log,
      nowMs,
      count: (result) => metrics.events.inc({ result }),
    });
    this.webhook =
      options.webhook === undefined
        ? undefined
        : new Webhook({
            format: options.webhook.format,
            post: postTo(options.webhook.url),
            sleep: (ms) => sleep(ms, undefined, { ref: false }),
            nowMs,
            log,
            count: (result) => metrics.notifications.inc({ result }),
          });
    this.status = new StatusWriter({ client, log, nowMs });
    this.lines = new ReconcileLog(log);
    this.blockers = new BlockerTrial({
      view: () => this.decisionView(),
      planning: { search: search ?? 'merged', maxReplacements: settings.maxReplacements, work },
      everyMs: options.blockersEveryMs,
      isQuiet: () => this.loop.reconcilingSinceMs === undefined,
      clock: () => performance.now(),
      sleep: (ms) => sleep(ms, undefined, { ref: false }),
      log,
      onPriced: (prices, objects) => this.blockersPriced(prices, objects),
    });
    const verdicts = { failures: () => this.failures(), missing: () => this.missing() };
    this.health = new HealthServer({ registry: metrics.registry, ...verdicts });
    this.probes = new HealthServer(verdicts);
  }

  /** Returns the port of /metrics. */
  async start(port: number, address: string, probePort?: number): Promise<number> {
    const { mode, version } = this.options;
    const taken = await this.health.listen(port, address);
    if (probePort !== undefined) await this.probes.listen(probePort, address);
    this.metrics.info.set({ mode, version }, 1);
    this.metrics.catalog.set(1);
    this.metrics.leader.set(this.elector === undefined ? 1 : 0);
    this.cluster.onChange(() => this.changed());
    this.cluster.start();
    this.elector?.start();
    this.loop.start();
    return taken;
  }

  /** Finishes writes in progress, starts no others, and releases the Lease last. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.statusTimer);
    await this.loop.stop();
    await this.blockers.stop();
    this.webhook?.stop();
    const flushed = Promise.all([this.events.settled(), this.webhook?.settled()]);
    await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())]);
    await this.elector?.stop();
    await this.cluster.stop();
    await this.health.close();
    await this.probes.close();
  }

  /** undefined while a cache is not synced. */
  decisionView(): DecisionView | undefined {
    return this.controller.decisionView();
  }

  private get leads(): boolean {
    return this.elector?.isLeader() ?? true;
  }

  /** Called right before each write: leadership may have ended since the pass began. */
  private assertMayWrite(): void {
    if (this.stopping) throw new Error('shutting down: write skipped');
    if (!this.leads) throw new Error('leadership lost: write skipped');
  }

  private changed(): void {
    const { isSynced, failing, forbidden, absent, catalogProblem } = this.cluster.health;
    const { log, mode, onFatal } = this.options;
    this.metrics.synced.set(isSynced ? 1 : 0);
    this.metrics.catalog.set(catalogProblem === undefined ? 1 : 0);
    for (const [kind, error] of failing)
      if (this.failing.get(kind) !== error) log.warn('kind cannot be read: passes are paused', { kind, error });
    this.failing = failing;
    if (catalogProblem !== this.catalogProblem) {
      if (catalogProblem === undefined) log.info('catalog readable again');
      else log.error('catalog not readable: keeping the last one, starting no new commands', { error: catalogProblem });
      this.catalogProblem = catalogProblem;
    }
    if (forbidden.length > 0) onFatal(forbidden.join('; '));
    // Without the journal, no command may start.
    if (isSynced && mode === 'act' && absent.includes(JOURNAL_RESOURCE.kind))
      onFatal(
        `the cluster has no kind ${JOURNAL_RESOURCE.kind}: install it with decant crd | kubectl apply --server-side -f -`,
      );
    this.loop.ring();
  }

  private leadershipChanged(leads: boolean): void {
    const { log, identity, lease, mode } = this.options;
    this.metrics.leader.set(leads ? 1 : 0);
    // The previous leader may have written until a moment ago.
    if (leads && mode === 'act') this.cluster.relistAll();
    log.info(leads ? 'became leader' : 'lost leadership', { identity, lease: `${lease?.namespace}/${lease?.name}` });
    this.loop.ring();
  }

  private async yieldToOthers(): Promise<void> {
    if (this.stopping) throw new Error('shutting down');
    if (performance.now() - this.yieldedMs < SLICE_MS) return;
    await turn();
    this.yieldedMs = performance.now();
  }

  private async reconcile(): Promise<ReconcileReport> {
    this.seen = this.cluster.view() ?? this.seen;
    this.checkClock();
    boundLargeHeap();
    return this.controller.reconcile();
  }

  private checkClock(): void {
    const { log } = this.options;
    const slowS = Math.round((this.client.nowMs() - Date.now()) / 1000);
    if (Math.abs(slowS - this.slowS) < LOGGED_OFFSET_S) return;
    this.slowS = slowS;
    if (Math.abs(slowS) < LOGGED_OFFSET_S) log.info('clock agrees with the API server again');
    else
      log.warn(
        `clock is ${Math.abs(slowS)} s ${slowS > 0 ? 'behind' : 'ahead of'} the API server: using the API server's time`,
      );
  }

  private async publish(report: ReconcileReport): Promise<void> {
    const { mode } = this.options;
    // After a write there is no view until the watch has delivered it; reports use the last one.
    this.seen = this.cluster.view() ?? this.seen;
    const view = this.seen;
    measure(this.metrics, report, view);
    this.options.onReport?.(report, view);
    this.lines.tell(report, view, this.client.nowMs());
    this.pools = report.pass?.pools ?? this.pools;
    if (view === undefined || this.stopping || !this.leads) return;
    this.events.publish(eventsOf(report, view, mode));
    this.webhook?.publish(this.notifications.of(report, view, this.client.nowMs()));
    if (report.pass !== undefined) this.blockers.passed();
    if (report.idle?.code !== 'unsynced')
      await this.writeStatus({ view, poolGovernance: report.poolGovernance, pools: this.pools, mode });
  }

  private blockersPriced(prices: BlockerPrices, objects: ClusterObjects): void {
    measureBlockers(this.metrics, prices, objects.nowMs);
    if (this.leads) this.events.publish(blockerEvents(prices, objects));
  }

  /** Status updates are rate-limited; a timer writes the last one when no pass does. */
  private async writeStatus(sources: StatusSources): Promise<void> {
    clearTimeout(this.statusTimer);
    const laterMs = await this.status.update(sources);
    if (laterMs === undefined || this.stopping) return;
    const again = () => {
      if (this.leads && !this.stopping) void this.writeStatus(sources);
    };
    this.statusTimer = setTimeout(again, laterMs).unref();
  }

  private failures(): readonly string[] {
    const sinceMs = this.loop.reconcilingSinceMs;
    if (sinceMs === undefined || performance.now() - sinceMs < STUCK_MS) return [];
    return [`a pass has been running for ${Math.round((performance.now() - sinceMs) / 60_000)} minutes`];
  }

  private missing(): readonly string[] {
    const { unsynced } = this.cluster.health;
    return [...unsynced].map(([kind, why]) => `${kind}: ${why}`);
  }
}
