import { type ControllerSettings, DEFAULT_CONTROLLER_SETTINGS } from '../../config/controller-settings.ts';
import type { ClusterView } from '../../controller/cluster-port.ts';
import { type Command, isOpen } from '../../controller/command.ts';
import type { DecisionView } from '../../controller/controller.ts';
import type { ReconcileReport } from '../../controller/report.ts';
import { NODE_POOL } from '../../engine/cluster/well-known.ts';
import { reevictions } from '../../operator/reconcile-metrics.ts';
import { type Subject, subjectOf } from '../../web/analysis/subject.ts';
import type { Health } from '../../web/api.ts';
import { ControllerNotes } from '../../web/server/controller-notes.ts';
import type { DashboardSource, LabBench } from '../../web/server/dashboard-source.ts';
import { poolSettings, processSettings } from '../../web/server/settings-view.ts';
import { Timeline } from '../../web/server/timeline.ts';
import { eventText } from '../demo/words.ts';
import { CommandNumbers } from './command-events.ts';
import { clusterLab } from './lab-bench.ts';

export interface LiveFacts {
  readonly name: string;
  readonly mode: 'follow' | 'observe' | 'act';
  readonly settings: ControllerSettings;
  readonly search: 'merged' | 'karpenter';
  readonly work?: number;
  /** Settings given, by flag without its dashes. */
  readonly flags: ReadonlyMap<string, string>;
  readonly compat: boolean;
}

/** The cluster of a running controller, for a dashboard. */
export class LiveSource implements DashboardSource {
  readonly about;
  readonly mode;
  readonly changes = true;
  readonly lab: LabBench;
  private readonly facts: LiveFacts;
  private readonly decisionView: () => DecisionView | undefined;
  private readonly notes = new ControllerNotes();
  private readonly history = new Timeline();
  private readonly numbers = new CommandNumbers();
  private readonly done = { commands: 0, savingsCentsPerHour: 0 };
  private evictions = 0;
  private reevictions = 0;
  private readonly phases = new Map<string, Command['phase']>();
  private seen: DecisionView | undefined;

  constructor(facts: LiveFacts, decisionView: () => DecisionView | undefined) {
    this.facts = facts;
    this.decisionView = decisionView;
    this.about = { kind: 'live', name: facts.name } as const;
    this.mode = facts.mode;
    this.lab = clusterLab(() => this.latest()?.objects);
  }

  /** Commands of another controller, as ConsolidationCommands tell of them: earlier ones too. */
  commandsSeen(commands: readonly Command[]): void {
    const news = commands.filter(({ id, phase }) => this.phases.get(id) !== phase);
    const steps = news.flatMap((command) => {
      const begun = { ...command, phase: 'waiting' as const, phaseMs: command.decidedMs, reason: undefined };
      return [...(this.phases.has(command.id) ? [] : [begun]), ...(isOpen(command) ? [] : [command])];
    });
    for (const step of steps.sort((a, b) => a.phaseMs - b.phaseMs)) this.record(step, commands);
    for (const { id, phase } of news) this.phases.set(id, phase);
    const known = new Set(commands.map(({ id }) => id));
    for (const id of this.phases.keys()) if (!known.has(id)) this.phases.delete(id);
  }

  reported(report: ReconcileReport, view: ClusterView | undefined): void {
    const nowMs = view?.objects.nowMs ?? Date.now();
    this.notes.reported(report, nowMs);
    for (const command of report.transitions) this.record(command, view?.commands ?? []);
    if (report.pass === undefined || view === undefined) return;
    const pods = view.objects.pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
    this.history.sample({
      atMs: nowMs,
      centsPerHour: report.pass.centsPerHour,
      nodes: view.objects.nodes.length,
      pods: pods.length,
      pendingPods: pods.filter(({ nodeName }) => nodeName === '').length,
      evictions: this.evictions,
      reevictions: this.reevictions,
    });
  }

  /** The beginning or the end of a command, as an event of the timeline. */
  private record(command: Command, journal: readonly Command[]): void {
    const news = this.numbers.news(command);
    if (news === undefined) return;
    const nodes = command.nodes.map(({ node }) => node);
    this.history.event({ atMs: command.phaseMs, kind: news.kind, text: eventText(news), nodes });
    if (news.kind !== 'done') return;
    const { evictions, savingsCentsPerHour } = command.realised ?? command.predicted;
    this.done.commands++;
    this.done.savingsCentsPerHour += savingsCentsPerHour;
    this.evictions += evictions;
    this.reevictions += reevictions(command, journal);
  }

  subject(): Subject | undefined {
    const { search, work, settings } = this.facts;
    const { objects, rules } = this.latest() ?? {};
    if (objects === undefined || rules === undefined) return undefined;
    const held = this.notes.held();
    return subjectOf(objects, rules, { search, work, maxReplacements: settings.maxReplacements, held });
  }

  figures() {
    return undefined;
  }

  health(): Health {
    return this.seen === undefined ? UNKNOWN : this.notes.health();
  }

  settings() {
    const { settings = DEFAULT_CONTROLLER_SETTINGS, flags, compat } = this.facts;
    const { objects, rules } = this.latest() ?? {};
    const nodesOf = (pool: string) => objects?.nodes.filter(({ labels }) => labels[NODE_POOL] === pool).length ?? 0;
    const origins = {
      compat,
      laid: {},
      policyName: (pool: string) => this.notes.policyNameOf(pool),
      blockReason: (pool: string) => this.notes.blockReasonOf(pool),
    };
    return {
      pools: objects === undefined ? [] : poolSettings(objects.nodePools, rules!.policyOf, nodesOf, origins),
      settings: processSettings(settings, { flags, env: process.env, compat, flagIs: 'flag' }),
      health: this.notes.facts(),
    };
  }

  timeline() {
    return { ...this.history.answer(), done: this.done };
  }

  /** Right after a write there is no current view; the last one is used. */
  private latest(): DecisionView | undefined {
    this.seen = this.decisionView() ?? this.seen;
    return this.seen;
  }
}

const UNKNOWN = { status: 'warning', message: 'caches are not synced yet' } as const;
