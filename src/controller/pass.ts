import type { ControllerSettings } from '../config/controller-settings.ts';
import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { lostWorkCents } from '../engine/disruption/lost-work.ts';
import { nodePrice } from '../engine/disruption/node-price.ts';
import type { Move } from '../engine/moves/move.ts';
import { type Evaluation, leavingIn, type SearchFindings } from '../engine/pass/evaluation.ts';
import type { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { NodeVerdict } from '../engine/pass/node-verdict.ts';
import { planCost } from '../engine/plan-commitments.ts';
import type { Refusal } from '../engine/refusal.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { isBlockedByThreshold, type ThresholdRefusal, withBlockedMove } from '../engine/search/blocked-moves.ts';
import type { Rules } from '../engine/settings.ts';
import { type BrakeState, Brakes } from './brakes.ts';
import { type Command, isOpen } from './command.ts';
import type { PossibleSaving } from './forgone-savings.ts';
import { newIds } from './journal.ts';
import { isUnchanged, MoveCheck } from './move-check.ts';
import { commandFor } from './new-command.ts';
import type { ControllerOptions } from './options.ts';
import { orderOfPlan } from './order-of-plan.ts';
import { poolFigures } from './pool-figures.ts';
import type { PassReport, Proposal } from './report.ts';

export interface PassInput {
  /** As decisions read them, with the nodes of commands that are under way leaving. */
  readonly objects: ClusterObjects;
  readonly journal: readonly Command[];
  readonly rules: Rules;
  readonly settings: ControllerSettings;
  readonly incremental: IncrementalCluster;
  /** Brought up to date. */
  readonly brakeState: BrakeState;
  mayPropose(nodePool: string): boolean;
}

export interface Pass {
  readonly report: PassReport;
  readonly cluster: CompiledCluster;
  /** Nodes that the plan removes, in the order of its moves. */
  readonly planned: readonly string[];
  /** Rows that were evaluated and have no move now. */
  readonly kept: readonly number[];
  /** When a gate that only waits for time lets a node through; undefined: none does. */
  readonly wakeAtMs: number | undefined;
}

/** One pass over the cluster: proposes commands for the moves of the first wave that no brake delays. */
export async function makePass(input: PassInput, options: ControllerOptions): Promise<Pass> {
  const { clock = () => 0 } = options;
  const startedMs = clock();
  const { incremental } = input;
  const evaluation = await ended(incremental.evaluate(input.objects, input.rules), options);
  const { cluster } = evaluation.problem.simulation;
  // Its pods are not there yet.
  const launched = new Set(input.journal.filter(isOpen).flatMap((c) => c.replacements.map((r) => r.nodeClaim)));
  const candidates = evaluation.problem.candidates.filter(
    ({ pool, row }) => input.mayPropose(pool.name) && !launched.has(cluster.rows[row].claim?.name ?? ''),
  );
  const { search = 'merged', work } = options;
  const proposable = { ...evaluation, problem: { ...evaluation.problem, candidates } };
  const searching = {
    search,
    work: (all: number, isWhole: boolean) => work ?? workOfPass(all, isWhole),
    isSmall: (all: number) => work === undefined && isSmall(all),
    order: orderOfPlan(input.journal, cluster),
    held: checkedMoves,
  };
  const found = candidates.length === 0 ? NOTHING : await ended(incremental.search(proposable, searching), options);
  const verdictOf = new Map<Candidate, NodeVerdict>();
  for (const { verdict } of evaluation.rows)
    if (verdict.eligible && verdict.candidate !== undefined) verdictOf.set(verdict.candidate, verdict);
  remember(input, cluster, () => possibleSavings(candidates, verdictOf, found));
  const proposals = await ended(propose(cluster, found, input), options);
  const leaving = leavingIn(found);
  const refusals = new Map<string, readonly Refusal[]>();
  const prices: number[] = [];
  for (const { row, verdict } of evaluation.rows) {
    const blocked = verdict.candidate && found.blocked.get(verdict.candidate);
    refusals.set(cluster.rows[row].name, withBlockedMove(verdict.refusals, blocked));
    prices.push(100 * (verdict.candidate?.price ?? nodePrice(cluster, row)));
  }
  return {
    cluster,
    planned: found.moves.flatMap(({ move }) => move.candidates.map(({ name }) => name)),
    kept: candidates.filter((c) => verdictOf.get(c)?.move === undefined && !leaving.has(c.name)).map((c) => c.row),
    wakeAtMs: soonest(refusals.values(), proposals, cluster.objects.nowMs),
    report: {
      refusals: countByCode(refusals.values()),
      thresholdBlocked: thresholdBlocked(evaluation, leaving, refusals),
      nodeRefusals: refusals,
      proposals,
      centsPerHour:
        planCost(evaluation.problem.simulation, [])?.centsPerHour ?? prices.reduce((sum, cents) => sum + cents, 0),
      plannedSavingsCentsPerHour: found.moves.reduce((sum, { move }) => sum + move.savings * 100, 0),
      pools: poolFigures(evaluation, prices, found.moves),
      ...(found.coverage === undefined ? {} : { coverage: found.coverage }),
      durationMs: clock() - startedMs,
    },
  };
}

const NOTHING: SearchFindings = { moves: [], first: [], plan: [], later: [], order: [], blocked: new Map() };

/** Simulated placements of a first pass, for each candidate and at least; with few candidates each gets more, up to a limit. */
const FROM_SCRATCH = { each: 120, least: 60_000, eachOfFew: 1200, mostOfFew: 120_000 };
/** In a later pass, divided by the candidates; what it takes to repair the moves of nodes that changed comes on top. */
const LATER = 1_000_000;
/** With less for each candidate, a search from scratch finds nothing that is worth its time beside a plan that holds. */
const LEAST_EACH = 4;

/**
 * With at most so many candidates a pass that cannot afford stages searches from scratch, which takes 0.2 s of CPU for 200. Passes
 * that start from the moves of the last one may end with 15 % less than stock saves.
 */
const FEW = 250;

export function isSmall(candidates: number): boolean {
  return candidates <= FEW;
}

/**
 * Simulated placements that a search may use. One from scratch gets the most (`isWhole`). In other passes over a large cluster,
 * the work is in proportion to what has changed, and the moves that hold improve from pass to pass.
 */
export function workOfPass(candidates: number, isWhole: boolean): number {
  const { each, least, eachOfFew, mostOfFew } = FROM_SCRATCH;
  const scratch = Math.max(least, Math.min(eachOfFew * candidates, mostOfFew), each * candidates);
  if (isWhole) return scratch;
  const later = Math.round(LATER / candidates);
  return later < LEAST_EACH * candidates ? 0 : Math.min(scratch, later);
}

/** Runs a generator to its end and yields to the event loop at each pause. */
async function ended<T>(steps: Generator<unknown, T, undefined>, { yieldToOthers }: ControllerOptions): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await yieldToOthers?.();
  }
}

/** Commands for the moves of the first wave. */
function* propose(
  cluster: CompiledCluster,
  { first, order }: SearchFindings,
  { journal, settings, brakeState }: PassInput,
): Generator<void, readonly Proposal[]> {
  const { nowMs } = cluster.objects;
  const brakes = new Brakes(settings, journal, brakeState, nowMs, (fact) => isUnchanged(cluster, fact));
  const newId = newIds(journal, nowMs);
  const proposals: Proposal[] = [];
  for (const move of first) {
    const command = commandFor(cluster, move, newId(), order);
    const refusal = brakes.refuse(command, lostWorkCents(cluster, move.candidates));
    proposals.push({
      command,
      wave: 1,
      ...(refusal === undefined ? {} : { refusal, retryAtMs: brakes.retryAtMs(refusal) }),
    });
    yield;
  }
  return proposals;
}

/**
 * The moves that pass `MoveCheck`, which validation repeats, each on the cluster that the ones before it leave. Deletions are
 * first: they drain while the new nodes of others start. Stock has no such check here.
 */
export function* checkedMoves(
  problem: Evaluation['problem'],
  moves: readonly Move[],
): Generator<void, readonly Move[]> {
  const { simulation } = problem;
  if (simulation.cluster.settings.compat || moves.length === 0) return moves;
  const rows = moves.flatMap(({ candidates }) => candidates.map((c) => c.row));
  for (const row of rows) simulation.existing.exclude(row, true);
  const { depth } = simulation;
  simulation.keepPending();
  const check = new MoveCheck(problem);
  const out: Move[] = [];
  const inTurn = moves.toSorted((a, b) => Number(a.kind === 'replace') - Number(b.kind === 'replace'));
  for (const { candidates, replacements, placements } of inTurn) {
    const places = new Map(placements.map(({ pod, row }) => [pod, row]));
    const checked = check.check(candidates, replacements.length, places);
    if ('move' in checked) out.push(checked.move);
    yield;
  }
  simulation.undoTo(depth);
  for (const row of rows) simulation.existing.exclude(row, false);
  return out;
}

/** The input of a price on evictions; not computed without such a price. */
function remember(
  { objects, journal, brakeState, settings }: PassInput,
  cluster: CompiledCluster,
  savings: () => ReadonlyMap<string, PossibleSaving>,
): void {
  if (settings.evictionPriceMs === 0) return;
  brakeState.prices.observed(cluster, journal);
  brakeState.timing.observed(savings(), new Set(objects.nodes.map((node) => node.name)), objects.nowMs);
}

/**
 * What each node could save, in cents per hour: alone, or as its share of the move that it is part of. While a node starts
 * that pods might go to, nothing can be said.
 */
function possibleSavings(
  candidates: readonly Candidate[],
  verdictOf: ReadonlyMap<Candidate, NodeVerdict>,
  { moves }: SearchFindings,
): ReadonlyMap<string, PossibleSaving> {
  const savings = new Map<string, PossibleSaving>();
  for (const c of candidates) {
    const { move, refusals = [] } = verdictOf.get(c) ?? {};
    if (!refusals.some((r) => r.code === UNSURE))
      savings.set(c.name, { centsPerHour: (move?.savings ?? 0) * 100, jointly: false });
  }
  for (const { move } of moves) {
    const price = move.candidates.reduce((sum, c) => sum + c.price, 0);
    for (const c of move.candidates) {
      const { centsPerHour = 0 } = savings.get(c.name) ?? {};
      const share = (100 * move.savings * c.price) / (price || 1);
      savings.set(c.name, { centsPerHour: Math.max(centsPerHour, share), jointly: centsPerHour === 0 });
    }
  }
  return savings;
}

const UNSURE: Refusal['code'] = 'relies-on-uninitialized-node';

function countByCode(lists: Iterable<readonly Refusal[]>): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  for (const list of lists) for (const code of codesOf(list)) out.set(code, (out.get(code) ?? 0) + 1);
  return out;
}

/** Each once. */
function codesOf(list: readonly Refusal[]): Iterable<string> {
  return list.length <= 1 ? list.map((r) => r.code) : new Set(list.map((r) => r.code));
}

/** Nodes in no move that are refused by the savings threshold, alone or together with others, and by no other gate for nodes. */
function thresholdBlocked(
  { rows }: Evaluation,
  leaving: ReadonlySet<string>,
  refusals: ReadonlyMap<string, readonly Refusal[]>,
): PassReport['thresholdBlocked'] {
  const out = new Map<string, Map<string, ThresholdRefusal>>();
  for (const { candidate } of rows.map(({ verdict }) => verdict)) {
    if (candidate === undefined || leaving.has(candidate.name)) continue;
    const own = refusals.get(candidate.name) ?? [];
    const refusal = own.find(isBlockedByThreshold);
    if (refusal === undefined || (refusal.nodes === undefined && own.some(({ code }) => code === 'budget'))) continue;
    getOrInsert(out, candidate.pool.name, () => new Map()).set(candidate.name, refusal);
  }
  return out;
}

/** The first time at which a gate that only waits for time passes. */
function soonest(
  refusals: Iterable<readonly Refusal[]>,
  proposals: readonly Proposal[],
  nowMs: number,
): number | undefined {
  let at = Infinity;
  for (const list of refusals)
    for (const r of list) if ('waitMs' in r && r.waitMs > 0) at = Math.min(at, nowMs + r.waitMs);
  for (const { retryAtMs } of proposals) at = Math.min(at, retryAtMs ?? Infinity);
  return at === Infinity ? undefined : at;
}
