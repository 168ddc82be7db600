import { setImmediate as turn } from 'node:timers/promises';
import type { Switches } from '../config/switch-values.ts';
import type { ClusterView } from '../controller/cluster-port.ts';
import { Controller, type Outlook } from '../controller/controller.ts';
import type { ControllerOptions, Times } from '../controller/options.ts';
import type { PoolFigures, TickReport } from '../controller/report.ts';
import type { InstanceType, KarpenterOptions } from '../engine/cluster/objects.ts';
import type { ApiClient, ApiRequest } from '../live/api-client.ts';
import { LiveCluster } from '../live/live-cluster.ts';
import { JOURNAL_RESOURCE } from '../live/resource.ts';
import type { ElectionTimes } from './election.ts';
import { eventsOf } from './event-list.ts';
import { EventWriter } from './event-writer.ts';
import { HealthServer } from './health-server.ts';
import { LeaderElector } from './leader-elector.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import { MeteredClient } from './metered-client.ts';
import { OperatorMetrics } from './metrics.ts';
import type { StatusSources } from './policy-status.ts';
import { StatusWriter } from './status-writer.ts';
import { TickLines } from './tick-lines.ts';
import { measure } from './tick-metrics.ts';

export interface OperatorOptions {
  readonly client: ApiClient;
  readonly mode: 'observe' | 'act';
  readonly switches: Switches;
  readonly search?: ControllerOptions['search'];
  readonly work?: number;
  readonly times?: Partial<Times>;
  readonly loadCatalog: () => Promise<readonly InstanceType[]>;
  readonly catalogEveryMs?: number;
  readonly karpenter: KarpenterOptions;
  /** undefined: there is only one of us. */
  readonly lease?: { readonly namespace: string; readonly name: string; readonly times?: ElectionTimes };
  /** Unlike that of any other replica. */
  readonly identity: string;
  readonly version: string;
  readonly log: Log;
  /** Told of every write to the cluster that came through: tests end the process there. */
  readonly onWritten?: (request: ApiRequest) => void;
  /** Told of every tick, with what was known of the cluster then. */
  readonly onReport?: (report: TickReport, view: ClusterView | undefined) => void;
  /** Nothing more can come of it: somebody has to change something first. */
  readonly onHopeless: (why: string) => void;
}

/** A tick that takes longer than this will not end any more. */
const STUCK_MS = 15 * 60_000;
/** Computing at a stretch, before timers and answers get their turn. */
const BREATH_MS = 25;
/** A clock that is off by so much is worth a line in the log. */
const TELLING_S = 5;
/** For events that are still to be written when we are asked to end. */
const LAST_WORDS_MS = 2_000;

/** The process around the controller: follows the cluster, leads or waits, ticks, and makes known what came of it. */
export class Operator {
  private readonly options: OperatorOptions;
  private readonly metrics = new OperatorMetrics();
  private readonly client: MeteredClient;
  private readonly cluster: LiveCluster;
  private readonly controller: Controller;
  private readonly elector: LeaderElector | undefined;
  private readonly loop: Loop;
  private readonly health: HealthServer;
  private readonly events: EventWriter;
  private readonly status: StatusWriter;
  private readonly lines: TickLines;
  private stopping = false;
  private breathedMs = 0;
  private pools: ReadonlyMap<string, PoolFigures> | undefined;
  private catalogProblem: string | undefined;
  private seen: ClusterView | undefined;
  private statusTimer: NodeJS.Timeout | undefined;
  private slowS = 0;

  constructor(options: OperatorOptions) {
    const { mode, switches, search, work, times, log, lease, identity } = options;
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
      beforeWrite: () => this.assertMayWrite(),
    });
    this.controller = new Controller(this.cluster, {
      mode,
      switches,
      times,
      clock: () => performance.now(),
      breathe: () => this.breathe(),
      ...(search === undefined ? {} : { search }),
      ...(work === undefined ? {} : { work }),
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
      tick: () => this.tick(),
      report: (report) => this.tell(report),
      mayTick: () => this.leads,
      onFailure: () => metrics.ticks.inc({ result: 'failed' }),
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
    this.status = new StatusWriter({ client, log, nowMs });
    this.lines = new TickLines(log);
    this.health = new HealthServer({
      registry: metrics.registry,
      illness: () => this.illness(),
      missing: () => this.missing(),
    });
  }

  /** Answers the port that metrics are on. */
  async start(port: number, address: string): Promise<number> {
    const { mode, version } = this.options;
    const taken = await this.health.listen(port, address);
    this.metrics.info.set({ mode, version }, 1);
    this.metrics.catalog.set(1);
    this.metrics.leader.set(this.elector === undefined ? 1 : 0);
    this.cluster.onChange(() => this.changed());
    this.cluster.start();
    this.elector?.start();
    this.loop.start();
    return taken;
  }

  /** What is being written is written to its end, and then nothing more; the Lease is given back last. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.statusTimer);
    await this.loop.stop();
    await Promise.race([this.events.settled(), new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref())]);
    await this.elector?.stop();
    await this.cluster.stop();
    await this.health.close();
  }

  /** What decisions are made by now; undefined while not everything is known. */
  outlook(): Outlook | undefined {
    return this.controller.outlook();
  }

  private get leads(): boolean {
    return this.elector?.isLeader() ?? true;
  }

  /** Asked right before each write: leadership may have ended since the tick began. */
  private assertMayWrite(): void {
    if (this.stopping) throw new Error('shutting down: nothing more is written');
    if (!this.leads) throw new Error('the Lease is not ours any more: nothing more is written');
  }

  private changed(): void {
    const { isSynced, forbidden, absent, catalogProblem } = this.cluster.health;
    const { log, mode, onHopeless } = this.options;
    this.metrics.synced.set(isSynced ? 1 : 0);
    this.metrics.catalog.set(catalogProblem === undefined ? 1 : 0);
    if (catalogProblem !== this.catalogProblem) {
      if (catalogProblem === undefined) log.info('the catalog can be read again');
      else
        log.error('the catalog cannot be read: the last one is kept and nothing new begins', { error: catalogProblem });
      this.catalogProblem = catalogProblem;
    }
    if (forbidden.length > 0) onHopeless(forbidden.join('; '));
    // Where nothing can be written down, nothing may be begun.
    if (isSynced && mode === 'act' && absent.includes(JOURNAL_RESOURCE.kind))
      onHopeless(`the cluster has no kind ${JOURNAL_RESOURCE.kind}: decant crd | kubectl apply --server-side -f -`);
    this.loop.ring();
  }

  private leadershipChanged(leads: boolean): void {
    const { log, identity, lease, mode } = this.options;
    this.metrics.leader.set(leads ? 1 : 0);
    // Whoever led before us may have written until a moment ago.
    if (leads && mode === 'act') this.cluster.distrust();
    log.info(leads ? 'leading' : 'not leading any more', { identity, lease: `${lease?.namespace}/${lease?.name}` });
    this.loop.ring();
  }

  private async breathe(): Promise<void> {
    if (this.stopping) throw new Error('shutting down');
    if (performance.now() - this.breathedMs < BREATH_MS) return;
    await turn();
    this.breathedMs = performance.now();
  }

  private async tick(): Promise<TickReport> {
    this.seen = this.cluster.view() ?? this.seen;
    this.lookAtClock();
    return this.controller.tick();
  }

  private lookAtClock(): void {
    const { log } = this.options;
    const slowS = Math.round((this.client.nowMs() - Date.now()) / 1000);
    if (Math.abs(slowS - this.slowS) < TELLING_S) return;
    this.slowS = slowS;
    if (Math.abs(slowS) < TELLING_S) log.info('our clock agrees with that of the API server again');
    else log.warn(`our clock is ${Math.abs(slowS)} s ${slowS > 0 ? 'slow' : 'fast'}: that of the API server counts`);
  }

  private async tell(report: TickReport): Promise<void> {
    const { mode } = this.options;
    // After a write there is no view until it has been seen; what was known before will do for telling.
    this.seen = this.cluster.view() ?? this.seen;
    const view = this.seen;
    measure(this.metrics, report, view);
    this.options.onReport?.(report, view);
    this.lines.tell(report, view, this.client.nowMs());
    this.pools = report.pass?.pools ?? this.pools;
    if (view === undefined || this.stopping || !this.leads) return;
    this.events.publish(eventsOf(report, view, mode));
    if (report.idle?.code !== 'unsynced')
      await this.writeStatus({ view, standings: report.standings, pools: this.pools, mode });
  }

  /** Numbers that were written only lately are written later, whether there is a tick by then or not. */
  private async writeStatus(sources: StatusSources): Promise<void> {
    clearTimeout(this.statusTimer);
    const laterMs = await this.status.update(sources);
    if (laterMs === undefined || this.stopping) return;
    const again = () => {
      if (this.leads && !this.stopping) void this.writeStatus(sources);
    };
    this.statusTimer = setTimeout(again, laterMs).unref();
  }

  private illness(): readonly string[] {
    const sinceMs = this.loop.tickingSinceMs;
    if (sinceMs === undefined || performance.now() - sinceMs < STUCK_MS) return [];
    return [`a look at the cluster has not ended for ${Math.round((performance.now() - sinceMs) / 60_000)} minutes`];
  }

  private missing(): readonly string[] {
    const { unsynced } = this.cluster.health;
    return [...unsynced].map(([kind, why]) => `${kind}: ${why}`);
  }
}
