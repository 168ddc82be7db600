import { performance } from 'node:perf_hooks';
import type { Published } from '../analysis/analysis-worker.ts';
import type { Ask } from '../analysis/ask.ts';
import type { LiveEvents, StateAnswer, Totals } from '../api.ts';
import type { SettingsAnswer } from '../settings-api.ts';
import { AnalysisThread } from './analysis-thread.ts';
import type { DashboardSource } from './dashboard-source.ts';
import { LabService } from './lab-service.ts';
import { passFacts } from './pass-facts.ts';

export type LiveEvent = {
  [K in keyof LiveEvents]: { readonly kind: K; readonly data: LiveEvents[K] };
}[keyof LiveEvents];

/** Pause between analyses of a changing cluster; at least a multiple of the time that the last analysis took. */
const LEAST_PAUSE_MS = 2_000;
const REST = 4;
/** Between two `tick` events. */
const TICK_MS = 500;
const STALE_MS = 15_000;
/** While caches are not synced. */
const RETRY_MS = 250;
/** A failed analysis is repeated after RETRY_MS, doubled this many times at most. */
const MAX_DOUBLINGS = 6;

/** Keeps the picture of the source fresh while clients are connected, and answers their questions. */
export class Dashboard {
  readonly source: DashboardSource;
  readonly lab: LabService;
  private readonly analysis: AnalysisThread;
  private readonly listeners = new Set<(event: LiveEvent) => void>();
  private published: Published | undefined;
  private failure: string | undefined;
  private nextAnalysis: NodeJS.Timeout | undefined;
  private ticking: NodeJS.Timeout | undefined;
  private analysing = false;
  private readonly begun = Promise.withResolvers<void>();
  private analysed = Promise.withResolvers<void>();
  private closed = false;
  private analysedMs = Number.NEGATIVE_INFINITY;
  private restMs = LEAST_PAUSE_MS;
  private failedAnalyses = 0;

  constructor(source: DashboardSource) {
    this.source = source;
    this.lab = new LabService(source, (running) => this.emit({ kind: 'lab', data: { running } }));
    this.analysis = new AnalysisThread(
      (news) => {
        this.published = news;
        this.begun.resolve();
        this.emit({ kind: 'state', data: this.state() });
      },
      (error) => {
        this.failed(error);
        // The new thread has no picture yet.
        if (!this.analysing && !this.closed) this.nextAnalysis ??= setTimeout(() => void this.analyse(), RETRY_MS);
      },
    );
    void this.analyse();
  }

  get version(): number {
    return this.published?.version ?? 0;
  }

  /** Resolves when there is a picture, or a reason why there is none. */
  get ready(): Promise<void> {
    return this.begun.promise;
  }

  state(): StateAnswer {
    const { source, published } = this;
    const { about, mode, speed } = source;
    const figures = source.figures();
    return {
      source: about,
      version: this.version,
      nowMs: figures?.nowMs ?? published?.nowMs ?? 0,
      totals: figures === undefined ? (published?.totals ?? NOTHING) : running(figures.totals, published?.totals),
      planning: published?.planning ?? { state: 'working', share: 0 },
      mode,
      ...(speed === undefined ? {} : { speed }),
      health: this.failure === undefined ? source.health() : { status: 'error', message: this.failure },
    };
  }

  /** Without a controller, the passes are the dashboard's own. */
  settings(): SettingsAnswer {
    const { source, version, published } = this;
    const { health, ...others } = source.settings();
    const own = source.mode === 'read-only' && published?.pass !== undefined ? passFacts(published.pass, false) : [];
    return { version, ...others, health: [...health, ...own] };
  }

  /** Gzipped JSON; `left` aborts when the client disconnects. */
  async ask(ask: Ask, left: AbortSignal): Promise<Uint8Array> {
    this.wake();
    // A picture from before the dashboard was opened is out of date.
    if (this.source.changes && performance.now() - this.analysedMs > STALE_MS) await this.analysed.promise;
    return this.analysis.ask(ask, left);
  }

  /** Returns a function that stops it. */
  watch(listener: (event: LiveEvent) => void): () => void {
    this.listeners.add(listener);
    void this.ready.then(() => {
      if (this.listeners.has(listener)) listener({ kind: 'state', data: this.state() });
    });
    this.wake();
    this.ticking ??= this.source.changes ? setInterval(() => this.tick(), TICK_MS) : undefined;
    return () => {
      this.listeners.delete(listener);
      if (this.listeners.size > 0) return;
      clearInterval(this.ticking);
      this.ticking = undefined;
    };
  }

  async close(): Promise<void> {
    this.closed = true;
    this.analysed.resolve();
    clearTimeout(this.nextAnalysis);
    clearInterval(this.ticking);
    this.lab.close();
    await this.analysis.close();
  }

  private failed(error: unknown): void {
    this.failure = error instanceof Error ? error.message : String(error);
    this.begun.resolve();
    this.emit({ kind: 'state', data: this.state() });
  }

  private emit(event: LiveEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private tick(): void {
    const { nowMs, totals } = this.state();
    this.emit({ kind: 'tick', data: { nowMs, totals } });
  }

  /** On a request: renews a picture that is too old. */
  private wake(): void {
    if (!this.source.changes || this.analysing || this.closed || this.nextAnalysis !== undefined) return;
    const dueMs = this.analysedMs + this.restMs - performance.now();
    this.nextAnalysis = setTimeout(() => void this.analyse(), Math.max(0, dueMs));
  }

  private async analyse(): Promise<void> {
    this.nextAnalysis = undefined;
    const subject = this.source.subject();
    if (subject === undefined) {
      // Clients are told about the failure.
      this.begun.resolve();
      this.nextAnalysis = setTimeout(() => void this.analyse(), RETRY_MS);
      return;
    }
    this.analysing = true;
    try {
      this.restMs = Math.max(LEAST_PAUSE_MS, REST * (await this.analysis.analyse(subject)));
      this.failure = undefined;
      this.failedAnalyses = 0;
    } catch (error) {
      this.failed(error);
      const waitMs = RETRY_MS * 2 ** Math.min(this.failedAnalyses++, MAX_DOUBLINGS);
      if (!this.closed) this.nextAnalysis = setTimeout(() => void this.analyse(), waitMs);
    }
    this.analysing = false;
    this.analysedMs = performance.now();
    this.analysed.resolve();
    this.analysed = Promise.withResolvers<void>();
    if (this.listeners.size > 0) this.wake();
  }
}

/** Current totals with the plan of the last picture, whose savings hold even if other things have changed. */
function running(now: Totals, seen: Totals | undefined): Totals {
  if (seen?.planned === undefined || seen.nodes === 0) return now;
  const { planned } = seen;
  return {
    ...now,
    planned: {
      ...planned,
      nodes: now.nodes + planned.nodes - seen.nodes,
      centsPerHour: now.centsPerHour - planned.savingsCentsPerHour,
    },
  };
}

const NOTHING: Totals = { nodes: 0, pods: 0, pendingPods: 0, centsPerHour: 0 };
