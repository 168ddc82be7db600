import type { Evaluation } from '../../engine/pass/evaluation.ts';
import { IncrementalCluster } from '../../engine/pass/incremental-cluster.ts';
import { defaultWork, planOf } from '../../engine/plan.ts';
import { planCost } from '../../engine/plan-commitments.ts';
import type { Plan, PlanBound, PlanCoverage } from '../../engine/plan-document.ts';
import { plannedNode } from '../../engine/planned.ts';
import type { BoundAnswer, Planning, Totals } from '../api.ts';
import type { BlockersAnswer } from '../money-api.ts';
import type { Ask } from './ask.ts';
import { BlockerPricing, costAnswer } from './money-answers.ts';
import { nodeAnswer } from './node-answer.ts';
import { type PlanSoFar, packingNow } from './packing-columns.ts';
import { Picture } from './picture.ts';
import { questionOf } from './question.ts';
import { Refused } from './refused.ts';
import { inSlices } from './slices.ts';
import { rulesOf, type Subject } from './subject.ts';
import { Turns } from './turns.ts';

/** A new picture, or a new stage of one. */
export interface Published {
  readonly version: number;
  readonly nowMs: number;
  readonly totals: Totals;
  readonly planning: Planning;
  /** Set once the plan is made. */
  readonly pass?: PassTiming;
}

export interface PassTiming {
  readonly durationMs: number;
  readonly coverage?: PlanCoverage;
  /** Nodes that were simulated, of those that are candidates: the verdicts on the others stand. */
  readonly simulated?: number;
}

/** Proves how cheap the cluster could be at best. */
export type BoundWorker = (subject: Subject, plan: Plan) => Promise<PlanBound>;

/**
 * Analyses clusters and answers questions about the latest. The first picture is published as soon as it is evaluated,
 * later ones once they are planned, so that viewers do not see plans disappear and reappear.
 */
export class AnalysisWorker {
  private readonly publish: (news: Published) => void;
  private picture: Picture | undefined;
  private version = 0;
  private planning: Planning = { state: 'working', share: 0 };
  private readonly boundWorker: BoundWorker | undefined;
  private readonly proven = new WeakMap<Picture, PlanBound>();
  private pricing: { readonly version: number; readonly blockers: BlockerPricing } | undefined;
  private readonly plans = new Turns('too many plans are being made');
  private readonly proofs = new Turns('too many bounds are being proven');
  private readonly incremental = new IncrementalCluster();
  private readonly begun = Promise.withResolvers<void>();
  private readonly planned = Promise.withResolvers<void>();

  /** Without a boundWorker, the only bound is the one that came with the plan. */
  constructor(publish: (news: Published) => void, boundWorker?: BoundWorker) {
    this.publish = publish;
    this.boundWorker = boundWorker;
  }

  /** Objects that are in the subject before are not read again. Must not be called again before it resolves. */
  async analyse(subject: Subject): Promise<void> {
    const startedMs = performance.now();
    const { objects, search, maxReplacements, work } = subject;
    const evaluating = this.incremental.evaluate(objects, rulesOf(subject), { maxReplacements });
    const evaluation = await inSlices(evaluating, () => {});
    const whole = work ?? defaultWork(evaluation.problem);
    const isFirst = this.picture === undefined;
    if (isFirst) this.show(new Picture(subject, withoutMoves(evaluation)), { state: 'working', share: 0 });
    const searching = this.incremental.search(evaluation, {
      search,
      waves: Infinity,
      work: (_, isWhole) => (isWhole ? whole : Math.ceil(whole * LATER)),
    });
    const found = await inSlices(searching, (step) => {
      if (isFirst) this.tell({ state: 'working', share: Math.min(0.99, step.work / whole) });
    });
    const took = { loadMs: 0, elapsedMs: performance.now() - startedMs };
    this.show(new Picture(subject, planOf(evaluation, found, subject, took)), { state: 'ready' });
  }

  /** A cluster whose plan was made elsewhere. */
  know(subject: Subject, plan: Plan): void {
    this.show(new Picture(subject, plan), { state: 'ready' });
  }

  private show(picture: Picture, planning: Planning): void {
    this.picture = picture;
    this.version++;
    this.begun.resolve();
    if (planning.state === 'ready') this.planned.resolve();
    this.tell(planning);
  }

  private tell(planning: Planning): void {
    this.planning = planning;
    const { totals, subject, plan } = this.picture!;
    const { simulated } = this.incremental;
    const pass = plan === undefined ? {} : { pass: { ...passOf(plan), simulated } };
    this.publish({ version: this.version, nowMs: subject.objects.nowMs, totals, planning, ...pass });
  }

  /** Throws Refused if there is no answer, or the reason of `left` once the caller has gone. */
  async answer(ask: Ask, left?: AbortSignal): Promise<object> {
    await this.begun.promise;
    switch (ask.kind) {
      case 'cluster': {
        const { nodes, subject } = this.picture!;
        return { version: this.version, packing: packingNow(nodes, subject.objects) };
      }
      case 'plan': {
        const { plan } = this.picture!;
        const view = plan === undefined ? {} : { plan: this.picture!.planView(plan) };
        return { version: this.version, planning: this.planning, ...view };
      }
      case 'node': {
        const { picture, plan } = await this.whenPlanned();
        return { version: this.version, ...nodeAnswer(picture.subject, plan, ask.name) };
      }
      case 'boundary': {
        const { picture, version } = this;
        const question = questionOf(new URLSearchParams(ask.query), this.pools());
        return { version, ...picture!.boundary.answer(question, () => performance.now()) };
      }
      case 'what-if':
        return this.plans.take(async () => {
          const { picture, plan } = await this.whenPlanned();
          const question = questionOf(new URLSearchParams(ask.query), this.pools());
          return { version: this.version, ...(await picture.whatIf(question, plan, left)) };
        }, left);
      case 'bound':
        return this.proofs.take(() => this.bound(), left);
      case 'cost':
        return { version: this.version, ...costAnswer(this.picture!.subject, new URLSearchParams(ask.query)) };
      case 'blockers':
        return this.blockers(new URLSearchParams(ask.query));
    }
  }

  private pools(): string[] {
    return this.picture!.subject.objects.nodePools.map(({ name }) => name);
  }

  private async whenPlanned(): Promise<{ readonly picture: Picture; readonly plan: Plan }> {
    await this.planned.promise;
    const picture = this.picture!;
    return { picture, plan: picture.plan! };
  }

  /** Of the picture that the first of these questions met, until its blockers are priced. */
  private async blockers(query: URLSearchParams): Promise<BlockersAnswer> {
    const { picture } = await this.whenPlanned();
    if (query.get('fresh') === 'true' && this.pricing?.version !== this.version) this.pricing = undefined;
    this.pricing ??= { version: this.version, blockers: new BlockerPricing(picture.subject) };
    const { version, blockers } = this.pricing;
    const answer = await blockers.answer(query).catch((error: unknown) => {
      this.pricing = undefined;
      throw error;
    });
    return { version, ...answer };
  }

  /** Of the picture at the time of the call, even if newer ones arrive meanwhile. */
  private async bound(): Promise<BoundAnswer> {
    const { picture, plan } = await this.whenPlanned();
    const { version, boundWorker } = this;
    const known = plan.bound ?? this.proven.get(picture);
    if (known === undefined && boundWorker === undefined)
      throw new Refused(404, 'no bound: decant plan --bound proves one');
    const bound = known ?? (await boundWorker!(picture.subject, plan));
    this.proven.set(picture, bound);
    return { version, nowMs: picture.subject.objects.nowMs, bound };
  }
}

/** Share of the work that a search has which starts from the moves of the last one: its plans are worth as much as with all. */
const LATER = 1 / 2;

/** What is known before the search. */
function withoutMoves({ rows, problem: { simulation }, rules }: Evaluation): PlanSoFar {
  const { nodeBaseCost } = rules.settings;
  const nodes = rows.map(({ row, verdict }) => plannedNode(simulation, row, verdict, nodeBaseCost));
  return { nodes, moves: [], totals: planCost(simulation, []) };
}

function passOf({ totals, coverage }: Plan): PassTiming {
  return { durationMs: totals.elapsedMs, ...(coverage === undefined ? {} : { coverage }) };
}
