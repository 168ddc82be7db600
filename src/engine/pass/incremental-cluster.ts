import type { ClusterObjects, NodeClaimObject, NodeObject } from '../cluster/objects.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import type { Candidate } from '../disruption/candidates.ts';
import { PoolReserve } from '../gates/pool-reserve.ts';
import type { Move } from '../moves/move.ts';
import { compile, compileSteps } from '../scheduling/compile.ts';
import { CompileCache } from '../scheduling/compile-cache.ts';
import type { CompiledCluster, CompileSettings } from '../scheduling/compiled-cluster.ts';
import { type PeakWindows, RequestPeaks } from '../scheduling/request-peaks.ts';
import { Simulation } from '../scheduling/simulation.ts';
import type { SearchProgress } from '../search/method.ts';
import { benefitOf } from '../search/net-benefit.ts';
import type { SearchProblem, StartingMoves } from '../search/problem.ts';
import type { Rules } from '../settings.ts';
import { type ClusterDifference, differenceOf } from './cluster-difference.ts';
import {
  type Evaluation,
  type EvaluationOptions,
  evaluateSteps,
  type SearchFindings,
  searchMoves,
} from './evaluation.ts';
import { type HeldMove, heldMovesOf, inNumbersOf } from './held-moves.ts';
import type { PlannedOrder } from './planned-order.ts';
import { type AskedProblem, asked, costsNoMore, hasBudgetsOf, hasSameBudgets, isSameProblem } from './same-problem.ts';
import { type HeldMoves, isAffordable } from './staged-search.ts';
import { candidatesByRow, withCandidatesOf } from './standing-waves.ts';
import { VerdictCache } from './verdict-cache.ts';

export interface PassSearch {
  readonly search: 'karpenter' | 'merged';
  /** Simulated placements, at most; `isWhole`: a search from scratch, because no earlier moves exist or too much has changed. */
  work(candidates: number, isWhole: boolean): number;
  /** Every search that cannot afford stages is one from scratch. */
  isSmall?(candidates: number): boolean;
  /** The remaining moves of an earlier plan. */
  readonly order?: PlannedOrder;
  /** Number of waves; default 1: a controller plans later waves in later passes. */
  readonly waves?: number;
  /** Selects the moves of a wave that the caller will make. */
  readonly held?: HeldMoves;
}

interface Searched {
  readonly problem: AskedProblem;
  readonly search: PassSearch['search'];
  readonly findings: SearchFindings;
  /** The plan by names, once rows or pods have other numbers than in `findings`. */
  held: readonly HeldMove[] | undefined;
  readonly round: number;
  /** Candidates that had changed in searches since the last one with the whole budget. */
  readonly drift: number;
  /** What that one found, in cents per hour beyond what is required. */
  readonly wholeCents: number;
  /** That one, or one since, found moves to make. */
  readonly foundMoves: boolean;
  /** Names of nodes that have changed since. */
  readonly changed: Set<string>;
  /** No node has changed. */
  isCurrent: boolean;
}

/**
 * One cluster over many passes, and the only cache of them. Views come in; what they have in common with the last one, by
 * object identity, is not compiled, evaluated or searched again. Verdicts and refusals are those of a cluster that is seen
 * for the first time; the merged search starts from the moves of the last pass that still hold.
 */
export class IncrementalCluster {
  private readonly cache: CompileCache;
  private readonly verdicts = new VerdictCache();
  private last: CompiledCluster | undefined;
  private searched: Searched | undefined;

  /** Destinations keep room for the highest requests of these times. */
  constructor({ peakWindowMs = 0, jobPeakWindowMs = 0 }: Partial<PeakWindows> = {}) {
    const observes = peakWindowMs > 0 || jobPeakWindowMs > 0;
    this.cache = new CompileCache(observes ? new RequestPeaks({ peakWindowMs, jobPeakWindowMs }) : undefined);
  }

  /** Verdicts that the last pass had to simulate. */
  get simulated(): number {
    return this.verdicts.simulated;
  }

  /** Compiles a cluster outside the passes: reads their caches and does not change them. */
  compile(objects: ClusterObjects, settings: CompileSettings): CompiledCluster {
    return compile(objects, settings, this.cache);
  }

  /** Nodes and their claims as rows, in their order. */
  join(
    nodes: readonly NodeObject[],
    claims: readonly NodeClaimObject[],
    settings: CompileSettings,
  ): readonly StateNode[] {
    return this.cache.join(nodes, claims, settings);
  }

  /** The first half of a pass: every node's verdict. */
  *evaluate(objects: ClusterObjects, rules: Rules, options: EvaluationOptions = {}): Generator<void, Evaluation> {
    const cluster = yield* compileSteps(objects, rules.settings, this.cache, this.last);
    const simulation = yield* this.begin(cluster, rules);
    // A verdict that depends on all nodes of a pool does not stand while any of them changes.
    return yield* evaluateSteps(simulation, rules, options, simulation.gate === undefined ? this.verdicts : undefined);
  }

  /** Drops the references to the cluster of the last pass. */
  private *begin(cluster: CompiledCluster, rules: Rules): Generator<void, Simulation> {
    yield;
    const difference = this.last === undefined ? undefined : differenceOf(this.last, cluster);
    yield;
    const simulation = new Simulation(cluster, { gate: PoolReserve.of(cluster, rules) });
    yield* this.verdicts.begin(simulation, difference);
    // Without a pause: a pass that is abandoned leaves all of it as it was, or none.
    if (this.last !== undefined && difference !== undefined) this.note(this.last, cluster, difference);
    this.last = cluster;
    yield;
    return simulation;
  }

  private note(
    last: CompiledCluster,
    { rows }: CompiledCluster,
    { reshaped, isNone, isGrowth }: ClusterDifference,
  ): void {
    const { searched } = this;
    if (searched === undefined || isNone) return;
    searched.isCurrent = false;
    if (!isGrowth) searched.held ??= heldMovesOf(last, searched.findings.plan);
    for (let row = 0; row < reshaped.length; row++) if (reshaped[row] === 1) searched.changed.add(rows[row].name);
  }

  /** The second half: moves for the candidates of the evaluation, or for some of them. */
  *search(
    evaluation: Evaluation,
    { search, work, isSmall = () => false, order, held: made, waves = 1 }: PassSearch,
  ): Generator<SearchProgress, SearchFindings, undefined> {
    const { problem } = evaluation;
    const { searched } = this;
    if (searched?.isCurrent === true && searched.search === search && isSameProblem(searched.problem, asked(problem)))
      return withCandidates(searched.findings, problem.candidates);
    const { length: all } = problem.candidates;
    const changed = searched === undefined ? undefined : changedSince(searched, problem);
    const drift = (searched?.drift ?? 0) + (changed?.size ?? all);
    // A plan that goes on in stages is in the journal, and the next pass goes on with it.
    const isAnew = searched === undefined || (isSmall(all) && !isAffordable(problem, work(all, true)));
    const isWhole = isAnew || (drift >= all * MOST_DRIFT && isWorn(searched, all));
    const start = isAnew ? undefined : changed && startingMoves(searched, problem, changed, !isWhole);
    const mayStand = searched !== undefined && start?.stand === true && wouldBeInWaves(searched, asked(problem));
    const options = { stagesWork: made && work(all, true), order, held: made };
    let findings = yield* searchMoves(
      { ...evaluation, problem: { ...problem, start } },
      search,
      work(all, isWhole),
      waves,
      { ...options, before: mayStand ? searched.findings : undefined },
    );
    if (searched !== undefined && start?.stand === true && findings.coverage?.drafts === 0)
      findings = { ...findings, blocked: stillBlocked(searched, problem, start.changed) };
    // That nothing is left to do is only true if a search from scratch finds nothing either.
    const isUsedUp = !isWhole && searched.foundMoves && findings.first.length === 0;
    if (isUsedUp) {
      const anew = yield* searchMoves(evaluation, search, work(all, true), waves, options);
      if (anew.first.length > 0) findings = anew;
    }
    const last = isWhole || isUsedUp ? undefined : searched;
    this.searched = {
      problem: asked(problem),
      search,
      findings,
      held: undefined,
      round: (searched?.round ?? 0) + 1,
      drift: last === undefined ? 0 : drift,
      wholeCents: last === undefined ? benefitOf(findings.plan).netCents : last.wholeCents,
      foundMoves: findings.first.length > 0 || last?.foundMoves === true,
      changed: new Set(),
      isCurrent: true,
    };
    return findings;
  }
}

/** Once this share of the cluster has changed since the last whole search, the next one has the whole budget, if the plan got worse. */
const MOST_DRIFT = 0.25;
/** What it may lose; where there are many candidates, a search with the whole budget takes too long to be worth the rest. */
const WEAR = 0.02;
const WEAR_OF_MANY = 0.05;
const MANY = 4000;

function isWorn({ findings, wholeCents }: Searched, candidates: number): boolean {
  const wear = candidates < MANY ? WEAR : WEAR_OF_MANY;
  return benefitOf(findings.plan).netCents < (1 - wear) * wholeCents;
}

/** The moves would be in the waves that they are in; larger budgets make a difference only to moves of later waves. */
function wouldBeInWaves({ problem, findings }: Searched, now: AskedProblem): boolean {
  if (findings.moves.some(({ wave }) => wave > 1)) return hasSameBudgets(problem, now);
  return hasBudgetsOf(problem, now);
}

/** Candidates that have changed since the search, or were none then. */
function changedSince({ problem, changed }: Searched, { candidates }: SearchProblem): ReadonlySet<Candidate> {
  const known = new Set(problem.candidates.map((c) => c.name));
  return new Set(candidates.filter(({ name }) => changed.has(name) || !known.has(name)));
}

function startingMoves(
  searched: Searched,
  problem: SearchProblem,
  changed: ReadonlySet<Candidate>,
  mayStand: boolean,
): StartingMoves {
  const { round, held: byName, findings } = searched;
  const { cluster } = problem.simulation;
  const standing = mayStand && byName === undefined ? standingMoves(searched, problem) : undefined;
  if (standing !== undefined) return { moves: standing, stand: true, changed, round };
  const moves = inNumbersOf(cluster, byName ?? heldMovesOf(cluster, findings.plan), problem.candidates);
  return { moves, stand: false, changed, round };
}

/**
 * The moves of a plan since which the cluster has only grown, if each is as much worth as then: all of them can still be made.
 * undefined: some have to be tried again.
 */
function standingMoves({ problem: before, findings }: Searched, problem: SearchProblem): readonly Move[] | undefined {
  const { simulation, candidates, mayFollow, maxReplacements } = problem;
  const { pending, leaving } = simulation.cluster;
  // A reserve, commitments and pending pods concern all nodes.
  if (simulation.gate !== undefined || simulation.spend.running !== undefined || mayFollow) return undefined;
  if (pending.length + leaving.length > 0 || maxReplacements < before.maxReplacements) return undefined;
  const byRow = candidatesByRow(candidates);
  const moves: Move[] = [];
  for (const move of findings.plan) {
    const own = move.candidates.flatMap((c) => byRow.get(c.row) ?? []);
    if (own.length < move.candidates.length || !own.every((c, i) => costsNoMore(move.candidates[i], c)))
      return undefined;
    moves.push({ ...move, candidates: own });
  }
  return moves;
}

/** Moves that the savings threshold blocked in the last search, of nodes that have not changed since; rows have kept their numbers. */
function stillBlocked(
  { findings: { blocked } }: Searched,
  { candidates }: SearchProblem,
  changed: ReadonlySet<Candidate>,
): SearchFindings['blocked'] {
  const byRow = candidatesByRow(candidates);
  const same = new Set(candidates.filter((c) => !changed.has(c)).map(({ name }) => name));
  return new Map(
    [...blocked].flatMap(([{ row }, refusal]) => {
      const own = byRow.get(row);
      return own !== undefined && refusal.nodes?.every((name) => same.has(name)) ? [[own, refusal] as const] : [];
    }),
  );
}

/** The same moves with the candidate objects of this pass. */
function withCandidates(findings: SearchFindings, candidates: readonly Candidate[]): SearchFindings {
  const byRow = candidatesByRow(candidates);
  const own = (move: Move): Move => withCandidatesOf({ candidates }, move);
  return {
    ...findings,
    first: findings.first.map(own),
    moves: findings.moves.map((found) => ({ ...found, move: own(found.move) })),
    plan: findings.plan.map(own),
    blocked: new Map([...findings.blocked].map(([c, refusal]) => [byRow.get(c.row) ?? c, refusal])),
  };
}
