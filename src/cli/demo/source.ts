import { type ControllerSettings, DEFAULT_CONTROLLER_SETTINGS } from '../../config/controller-settings.ts';
import type { ReconcileReport } from '../../controller/report.ts';
import { NODE_POOL } from '../../engine/cluster/well-known.ts';
import type { Rules } from '../../engine/settings.ts';
import { type NamedPolicy, policySettings } from '../../lab/named-policy.ts';
import type { Moment } from '../../simulator/moment.ts';
import { type Subject, subjectOf } from '../../web/analysis/subject.ts';
import type { Totals } from '../../web/api.ts';
import { ControllerNotes } from '../../web/server/controller-notes.ts';
import type { DashboardSource, LabBench } from '../../web/server/dashboard-source.ts';
import { poolSettings, processSettings } from '../../web/server/settings-view.ts';
import { Timeline } from '../../web/server/timeline.ts';
import { rulesFor } from '../input/rules.ts';
import { nodesOf } from '../simulate/record.ts';
import { type Both, baselineOf, type DemoCluster } from './cluster.ts';
import type { ClusterEvent } from './events.ts';
import { baselineInWords, eventText } from './words.ts';

export interface DemoFacts {
  readonly workload: string;
  readonly policy: NamedPolicy;
  /** Virtual milliseconds per second; undefined: as fast as possible. */
  readonly speed: number | undefined;
  readonly lab: LabBench;
}

/** Longer than the first nodes take to start. */
const FIRST_NODES_MS = 10 * 60_000;

/** A running simulated cluster, for a dashboard. */
export class DemoSource implements DashboardSource {
  readonly about;
  readonly mode;
  readonly changes = true;
  readonly lab: LabBench;
  readonly speed?: number;
  private readonly facts: DemoFacts;
  private readonly notes = new ControllerNotes();
  private readonly history = new Timeline();
  private demo: DemoCluster | undefined;
  private rules: Rules | undefined;
  private startMs: number | undefined;
  private now: Both<Moment> | undefined;

  constructor(facts: DemoFacts) {
    const { workload, policy, speed, lab } = facts;
    this.facts = facts;
    this.lab = lab;
    this.about = { kind: 'demo', name: `${workload}, policy ${policy.name}` } as const;
    this.mode = policy.controller === 'decant' ? ('act' as const) : ('read-only' as const);
    if (speed !== undefined) this.speed = speed;
  }

  /** Must be called before the source is used. */
  async attach(demo: DemoCluster): Promise<void> {
    const { controller, switches } = this.facts.policy;
    const compat = controller === 'stock' ? 'karpenter' : undefined;
    this.demo = demo;
    this.rules = await rulesFor(demo.decisionView().objects.nodePools, {
      compat,
      flags: new Map(Object.entries(switches)),
      env: {},
    });
    this.startMs = demo.nowMs;
    this.passed();
  }

  told(news: ClusterEvent, atMs: number): void {
    this.history.event({ atMs, kind: news.kind, text: eventText(news), nodes: nodesOf(news) });
  }

  reported(report: ReconcileReport, nowMs: number): void {
    this.notes.reported(report, nowMs);
  }

  /** To be called after the clusters were advanced. */
  passed(): void {
    const { here, baseline } = this.demo!.moments();
    this.now = { here, baseline };
    const { nowMs, nodes, pods, pendingPods, evictions, reevictions } = here;
    this.history.sample({
      atMs: Math.round(nowMs),
      centsPerHour: here.dollarsPerHour * 100,
      baselineCentsPerHour: baseline.dollarsPerHour * 100,
      nodes,
      pods,
      pendingPods,
      evictions,
      reevictions,
    });
  }

  subject(): Subject | undefined {
    const { policy } = this.facts;
    const { objects, rules = this.rules! } = this.demo!.decisionView();
    // Before the first nodes there is nothing to show.
    if (objects.nodes.length === 0 && objects.nowMs < this.startMs! + FIRST_NODES_MS) return undefined;
    const search = policy.controller === 'stock' ? 'karpenter' : policy.search;
    const { maxReplacements } = rules.settings;
    return subjectOf(objects, rules, { search, maxReplacements, work: policy.work, held: this.notes.held() });
  }

  figures(): { nowMs: number; totals: Totals } | undefined {
    if (this.now === undefined) return undefined;
    const { here, baseline } = this.now;
    const { nowMs, nodes, pods, pendingPods, dollarsPerHour, costDollars, evictions, commands } = here;
    return {
      nowMs: Math.round(nowMs),
      totals: {
        nodes,
        pods,
        pendingPods,
        centsPerHour: dollarsPerHour * 100,
        sinceStart: {
          costDollars,
          baseline: baselineInWords(baselineOf(this.facts.policy)),
          baselineDollars: baseline.costDollars,
          baselineEvictions: baseline.evictions,
          evictions,
          commands,
        },
      },
    };
  }

  health() {
    return this.facts.policy.controller === 'decant' ? this.notes.health() : SIMULATED;
  }

  settings() {
    const { policy } = this.facts;
    const { objects, rules = this.rules! } = this.demo!.decisionView();
    const reading = policySettings(policy.switches);
    const settings: ControllerSettings = 'settings' in reading ? reading.settings : DEFAULT_CONTROLLER_SETTINGS;
    const compat = policy.controller === 'stock';
    const origins = {
      compat,
      laid: policy.disruption,
      policyName: (pool: string) => this.notes.policyNameOf(pool),
      blockReason: (pool: string) => this.notes.blockReasonOf(pool),
    };
    const nodesOf = (pool: string) => objects.nodes.filter(({ labels }) => labels[NODE_POOL] === pool).length;
    const flags = new Map(Object.entries(policy.switches));
    return {
      pools: poolSettings(objects.nodePools, rules.policyOf, nodesOf, origins),
      settings: processSettings(settings, { flags, env: {}, compat, flagIs: 'policy' }),
      health: policy.controller === 'decant' ? this.notes.facts() : [],
    };
  }

  timeline() {
    return this.history.answer();
  }
}

const SIMULATED = { status: 'ok', message: 'a simulated cluster that Decant does not act on' } as const;
