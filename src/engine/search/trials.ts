import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { judge } from '../moves/consolidate.ts';
import type { Consolidation, Move } from '../moves/move.ts';
import { beforeMove, MoveCost, spendWith } from '../moves/move-cost.ts';
import { PRICE_REFUSALS } from '../moves/replacement-prices.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { Claim } from '../scheduling/claim.ts';
import type { Outcome, SimulationSettings } from '../scheduling/simulation.ts';
import { approved } from './approval.ts';
import { BlockedMoves } from './blocked-moves.ts';
import { mustBeJoint } from './joint-deletions.ts';
import { netCents } from './net-benefit.ts';
import { NewNodeAssignment } from './new-node-assignment.ts';
import type { SearchProblem } from './problem.ts';

type Refused = MoveRefusal | 'not-approved';
type Verdict = { readonly move: Move } | { readonly refusal: Refused };
/** A move whose pods join the new nodes of others, with those others. */
export interface FollowingMove {
  readonly move: Move;
  readonly hosts: readonly Move[];
}

/** A move, or a refusal and the nodes whose pods block it. */
export type Trial = { readonly move: Move } | { readonly refusal: Refused; readonly blockers: ReadonlySet<number> };

/** Destinations: rows, and the move's own new nodes by number. */
function hintsOf({ placements }: Move): ReadonlyMap<number, number> {
  const own = placements.filter(({ launchedFor }) => launchedFor === undefined);
  return new Map(own.map(({ pod, row }) => [pod, row]));
}

/**
 * Tries moves on the current cluster and counts the work in placed pods, so that a search with a given budget gives the
 * same result on every machine.
 */
export class Trials {
  readonly problem: SearchProblem;
  /** Pods placed so far, plus one per simulation. */
  work = 0;
  /** Nodes that were part of any trial. */
  readonly examined = new Set<Candidate>();
  readonly blocked: BlockedMoves;

  constructor(problem: SearchProblem) {
    this.problem = problem;
    this.blocked = new BlockedMoves(problem);
  }

  /** The best move for these nodes, if there is a good one; changes nothing. */
  moveFor(candidates: readonly Candidate[], maxReplacements: number): Move | undefined {
    const trial = this.attempt(candidates, maxReplacements);
    return 'move' in trial ? trial.move : undefined;
  }

  /** The result for these nodes; changes nothing. */
  attempt(candidates: readonly Candidate[], maxReplacements: number): Trial {
    let first: Trial | undefined;
    const { fresh } = this.problem.simulation;
    for (const style of STYLES) {
      if (style === TOGETHER && !fresh.keptApart) continue;
      const trial = this.attemptSo(style, candidates, maxReplacements);
      if ('move' in trial) return trial;
      first ??= trial;
      if (!fresh.keptApart && !mayBeSplit(trial, maxReplacements)) break;
    }
    return first as Trial;
  }

  /** As `attempt`, or as Karpenter puts pods on new nodes: moves may have been found so. */
  attemptInAnyStyle(candidates: readonly Candidate[], maxReplacements: number): Trial {
    const trial = this.attempt(candidates, maxReplacements);
    if ('move' in trial || maxReplacements === 0) return trial;
    const asKarpenter = this.attemptSo(AS_KARPENTER, candidates, maxReplacements);
    return 'move' in asKarpenter ? asKarpenter : trial;
  }

  private attemptSo(style: Style, candidates: readonly Candidate[], maxReplacements: number): Trial {
    return this.problem.simulation.removing(
      candidates.map((c) => c.row),
      (outcome) => {
        const trial = this.verdict(candidates, outcome, maxReplacements);
        return 'move' in trial ? trial : { ...trial, blockers: this.blockersIn(trial.refusal, outcome) };
      },
      { maxClaims: maxReplacements, ...style(candidates) },
    );
  }

  /** Makes the move if it is a good one; it stays until the simulation undoes it. */
  keep(
    candidates: readonly Candidate[],
    maxReplacements: number,
    hints?: ReadonlyMap<number, number>,
  ): Move | undefined {
    const { simulation } = this.problem;
    const { depth, fresh } = simulation;
    let best: { readonly move: Move; readonly style: Style } | undefined;
    const consider = (style: Style): Verdict => {
      simulation.undoTo(depth);
      const trial = this.keepSo(style, candidates, maxReplacements, hints);
      if ('move' in trial && (best === undefined || netCents(trial.move) > netCents(best.move) + 1e-9))
        best = { move: trial.move, style };
      return trial;
    };
    let last: Verdict | undefined;
    for (const style of STYLES) {
      if (style === TOGETHER && !fresh.keptApart) continue;
      last = consider(style);
      if (!fresh.keptApart && !mayBeSplit(last, maxReplacements)) break;
    }
    // Its new node may have been found in this way.
    if (hints !== undefined && maxReplacements > 0 && best?.move.kind !== 'delete') last = consider(AS_KARPENTER);
    if (best !== undefined && !(last !== undefined && 'move' in last && last.move === best.move)) consider(best.style);
    return best?.move;
  }

  /** Makes a move of another plan again, with its pods at the same destinations or better ones. Savings of 0: not known yet. */
  again(move: Move): Move | undefined {
    const { simulation } = this.problem;
    const { depth } = simulation;
    const { candidates, replacements, savings } = move;
    const hints = hintsOf(move);
    const trial = this.keepSo(STYLES[0], candidates, replacements.length, hints);
    const isKnown = savings !== 0 || replacements.length === 0;
    if ('move' in trial && isKnown && netCents(trial.move) >= netCents(move) - 1e-6) return trial.move;
    simulation.undoTo(depth);
    return this.keep(candidates, replacements.length, hints);
  }

  /**
   * Makes a move whose pods may join the new nodes of earlier moves, which may have to be larger for it; returns all of
   * these. Each passes its gates by itself. `planned`: the same move in another plan, whose placements are reused.
   */
  follow(
    candidates: readonly Candidate[],
    hosts: readonly Move[],
    maxReplacements: number,
    planned?: Move,
  ): FollowingMove | undefined {
    const { simulation } = this.problem;
    const assignment = new NewNodeAssignment(simulation, hosts);
    const followed = simulation.keeping(
      candidates.map((c) => c.row),
      (outcome) => {
        const verdict = this.verdict(candidates, outcome, maxReplacements);
        if ('refusal' in verdict) return undefined;
        const joined = assignment.placements(outcome);
        // It could only be executed jointly with others, which know nothing of new nodes.
        if (joined.length > 0 && mustBeJoint(verdict.move)) return undefined;
        const grown: Move[] = [];
        for (const host of hosts) {
          const now = assignment.isJoined(host, joined) ? this.withArrivals(host, assignment.claimsOf(host)) : host;
          if (now === undefined) return undefined;
          grown.push(now);
        }
        const { move } = verdict;
        return { move: { ...move, placements: [...move.placements, ...joined] }, hosts: grown };
      },
      {
        ...STYLES[0](candidates),
        maxClaims: maxReplacements,
        onto: assignment.onto,
        assigned: planned && assignment.assignedBy(planned),
        hints: planned && hintsOf(planned),
      },
    );
    if (followed !== undefined) spendWith(simulation, [followed.move, ...followed.hosts], hosts);
    return followed;
  }

  /** The move with its new nodes after others joined its own pods. */
  private withArrivals(move: Move, claims: readonly Claim[]): Move | undefined {
    const { cluster } = this.problem.simulation;
    const own = new Set(move.candidates.map((c) => c.row));
    const elsewhere = move.placements.filter(({ launchedFor }) => launchedFor !== undefined);
    const placements = move.placements.filter(({ row }) => row >= 0);
    const grown = beforeMove(this.problem.simulation, move, () => {
      const outcome = { ...NOTHING, placements, claims };
      const result = judge(this.problem.simulation, move.candidates, outcome, claims.length);
      return 'move' in result ? approved(this.problem, result.move) : undefined;
    });
    if (grown === undefined) return undefined;
    const here = grown.placements.filter(({ pod }) => own.has(cluster.rowOfPod[pod]));
    return { ...grown, placements: [...here, ...elsewhere] };
  }

  private keepSo(
    style: Style,
    candidates: readonly Candidate[],
    maxReplacements: number,
    hints: ReadonlyMap<number, number> | undefined,
  ): Verdict {
    let verdict: Verdict = { refusal: 'not-approved' };
    this.problem.simulation.keeping(
      candidates.map((c) => c.row),
      (outcome) => {
        verdict = this.verdict(candidates, outcome, maxReplacements);
        return 'move' in verdict ? verdict : undefined;
      },
      { maxClaims: maxReplacements, hints, ...style(candidates) },
    );
    if ('move' in verdict) spendWith(this.problem.simulation, [(verdict as { readonly move: Move }).move]);
    return verdict;
  }

  private verdict(candidates: readonly Candidate[], outcome: Outcome, maxReplacements: number): Verdict {
    this.charge(candidates, outcome.trace.length);
    const result = this.judge(candidates, outcome, maxReplacements);
    if ('refusal' in result) {
      this.blocked.note(candidates, result.refusal, outcome.claims.length);
      return result;
    }
    const move = approved(this.problem, result.move);
    return move === undefined ? { refusal: 'not-approved' } : { move };
  }

  /** Thresholds are about disrupted pods: an empty node goes at any price. */
  private judge(candidates: readonly Candidate[], outcome: Outcome, maxReplacements: number): Consolidation {
    const { simulation } = this.problem;
    if (outcome.trace.length === 0 && candidates.every(isEmpty)) {
      const refusal = simulation.gate?.refusal(simulation, outcome);
      if (refusal !== undefined) return { refusal };
      const { worth: savings } = MoveCost.of(simulation, candidates);
      return { move: { kind: 'delete', candidates, replacements: [], placements: [], savings } };
    }
    return judge(simulation, candidates, outcome, maxReplacements);
  }

  /** Rows whose pods found no place, or none on the fullest new node. */
  private blockersIn(refusal: Refused, { claims, unplaced }: Outcome): ReadonlySet<number> {
    if (refusal === 'not-approved') return NO_ROWS;
    const { rowOfPod } = this.problem.simulation.cluster;
    const rows = new Set(unplaced.map((pod) => rowOfPod[pod]));
    let fullest = claims[0];
    for (const claim of claims) if (claim.pods.length > fullest.pods.length) fullest = claim;
    for (const claim of claims) if (claim !== fullest) for (const pod of claim.pods) rows.add(rowOfPod[pod]);
    return rows;
  }

  private charge(candidates: readonly Candidate[], pods: number): void {
    this.work += 1 + pods;
    for (const c of candidates) this.examined.add(c);
  }
}

const NOTHING: Outcome = {
  placements: [],
  claims: [],
  onto: [],
  joined: [],
  unplaced: [],
  onUninitialized: [],
  trace: [],
  cutShort: false,
};

const NO_ROWS: ReadonlySet<number> = new Set();

/** How pods are put on new nodes. */
type Style = (candidates: readonly Candidate[]) => Pick<SimulationSettings, 'stay' | 'even' | 'maxPrice' | 'apart'>;

const TOGETHER: Style = () => ({ stay: true, even: false });

/**
 * Four styles: each new node as full as possible, with pods that need on-demand nodes on one of their own, or together with
 * others; each cheaper than the most expensive old node, so that pods are
 * split among several; and the same as evenly as Karpenter. Pods spread over zones stay in theirs: leaving a zone makes
 * it the emptiest, so it takes them back, whereas Karpenter's choice for the first pod may exclude the others.
 */
const STYLES: readonly Style[] = [
  () => ({ stay: true, even: false, apart: true }),
  TOGETHER,
  (candidates) => ({ stay: true, even: false, apart: true, maxPrice: highestPrice(candidates) }),
  (candidates) => ({ stay: true, even: true, apart: true, maxPrice: highestPrice(candidates) }),
];

/** A new node is where spreads have fewest pods. */
const AS_KARPENTER: Style = () => ({ stay: false, even: true });

/** The pods fit, but on a new node that is too expensive or no better than an old one: several smaller ones may do. */
function mayBeSplit(trial: Verdict, maxReplacements: number): boolean {
  if (maxReplacements < 2) return false;
  if ('move' in trial) return trial.move.kind === 'replace';
  return trial.refusal === 'not-approved' || PRICE_REFUSALS.has(trial.refusal.code);
}

function highestPrice(candidates: readonly Candidate[]): number {
  return Math.max(...candidates.map((c) => c.price));
}
