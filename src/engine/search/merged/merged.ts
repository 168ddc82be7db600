import { type Candidate, isEmpty } from '../../disruption/candidates.ts';
import { deletion } from '../../moves/consolidate.ts';
import type { Move } from '../../moves/move.ts';
import { pausing } from '../../steps.ts';
import { approved } from '../approval.ts';
import { BlockedMoves } from '../blocked-moves.ts';
import { JointDeletions } from '../joint-deletions.ts';
import { type Method, NO_PROGRESS, type Search, type SearchBudget, type SearchProgress } from '../method.ts';
import { settlePending } from '../pending.ts';
import type { SearchProblem, StartingMoves } from '../problem.ts';
import { largestPrefixSteps, movableTogether } from '../stock/multi-node.ts';
import { Trials } from '../trials.ts';
import { noteBlockedGroups } from './blocked-groups.ts';
import { Draft } from './draft.ts';
import { type DraftPlan, draftPlanOf, isBetter, NO_MOVES } from './draft-plan.ts';
import { drain, drainAgain } from './drain.ts';
import { exchange } from './exchange.ts';
import { fill } from './fill.ts';
import { Improvement, redo, type Workbench } from './improve.ts';
import { LaunchOptions } from './launch-options.ts';
import { NewNodeCapacity } from './new-node-capacity.ts';
import { type NodeDemands, nodeDemands } from './node-demand.ts';
import { inOrder, type OrderName } from './node-order.ts';
import { type Phase, type Recipe, replacedAlone } from './phase.ts';

const PHASES: readonly Phase[] = [drain, fill, exchange, drainAgain];

/** Recipes from scratch: an order, and the share of the nodes that is to be emptied. */
const RECIPES: readonly { readonly order: OrderName; readonly share: number; readonly reuse: boolean }[] = [
  { order: 'waste', share: 0.4, reuse: true },
  { order: 'price', share: 0.7, reuse: false },
  { order: 'waste', share: 1, reuse: false },
  { order: 'waste', share: 0.7, reuse: false },
  { order: 'worth', share: 0.5, reuse: false },
  { order: 'price', share: 0.5, reuse: false },
  { order: 'price', share: 0.3, reuse: true },
  { order: 'worth', share: 0.8, reuse: false },
  { order: 'wasteful', share: 1, reuse: false },
];
/** Recipes that are tried before any plan is improved. */
const FIRST = 3;
/** Improvements without success before another recipe is tried, and before the search ends. */
const PATIENCE = 3;
const LAST_PATIENCE = 8;
/** Simulated placements for each candidate that has changed, where that is more than the budget. */
const REPAIR_EACH = 200;
/** For each kind of node that is planned again: this many staying nodes that may join its moves. */
const NEIGHBOURS = 10;
/** Recipes for that, one per search, in turn. */
const REPAIRS: readonly number[] = [1, 2, 0, 4];
/** Two nodes can be combined in so few ways that the recipes and one improvement try about all of them. */
const PAIR = 2;

/**
 * The merged search (policies document, option 1): composes one plan after the other and keeps the best, until its budget
 * of work is used up or nothing gets better. Starting moves are made again, outside the budget, then repaired and improved
 * with the same budget, more if much has changed: the result is never worth less than without them.
 */
export const merged: Method = { name: 'merged', search };

function* search(problem: SearchProblem, budget: SearchBudget): Search {
  const { simulation } = problem;
  const standing = planThatStands(problem);
  if (standing !== undefined && budget.work === 0) {
    const effort = { examined: standing.nodes, work: 0, drafts: 0 };
    return { moves: standing.moves, blocked: new BlockedMoves(problem), effort };
  }
  const { depth } = simulation;
  const launchOptions = new LaunchOptions(simulation.cluster);
  const demands = nodeDemands(simulation.cluster, problem.candidates, launchOptions);
  const workshop = new Workshop(problem, launchOptions, yield* pausing(demands, NO_PROGRESS));
  const { trials } = workshop;
  let best: DraftPlan = NO_MOVES;
  let drafts = 0;
  let allowed = budget.work;
  let stopped = false;
  function* make(all: Iterable<Attempt>): Generator<SearchProgress, void, boolean | undefined> {
    for (const attempt of all) {
      drafts++;
      const before = trials.work;
      let over = false;
      for (const _ of attempt.steps) {
        over = attempt.isFree !== true && trials.work > allowed;
        if (over) break;
        stopped = (yield { work: trials.work, benefit: best.benefit, moves: best.moves.length }) === true;
        over = stopped;
        if (over) break;
      }
      if (attempt.isFree === true) allowed += trials.work - before;
      const plan = attempt.result();
      if (isBetter(plan, best)) best = plan;
      if (over) return;
    }
  }
  try {
    if (budget.work > 0) yield* make(attempts(workshop, () => best));
    if (standing !== undefined && isBetter(standing, best)) best = standing;
    if (problem.start !== undefined && standing === undefined && !stopped) {
      workshop.draft.close();
      allowed = trials.work + Math.max(budget.work, REPAIR_EACH * problem.start.changed.size);
      yield* make(continued(workshop, problem.start));
    }
  } finally {
    workshop.draft.close();
    simulation.undoTo(depth);
  }
  const effort = { examined: trials.examined.size, work: trials.work, drafts };
  if (!stopped) workshop.noteBlockedGroups(best.moves);
  return { moves: best.moves, blocked: trials.blocked, effort };
}

interface Attempt {
  readonly steps: Generator<void, void>;
  /** The result, complete or stopped early. */
  result(): DraftPlan;
  /** The budget does not count it. */
  readonly isFree?: boolean;
}

/** What to try: some recipes, improvements of the best plan so far between them, until nothing gets better. */
function* attempts(workshop: Workshop, best: () => DraftPlan): Generator<Attempt> {
  const { draft, candidates } = workshop;
  const isSmall = candidates.length <= PAIR;
  let round = 0;
  const improve = (): Attempt => {
    const improvement = new Improvement(workshop, best(), ++round);
    return { steps: improvement.run(), result: () => improvement.result };
  };
  function* untilNoBetter(patience: number): Generator<Attempt> {
    for (let failures = 0; failures < patience; ) {
      const before = best();
      yield improve();
      failures = best() === before ? failures + 1 : 0;
    }
  }
  for (const [i, { order, share, reuse }] of RECIPES.entries()) {
    if (i >= FIRST && !isSmall) yield* untilNoBetter(PATIENCE);
    draft.undoTo(0);
    const emptied = Math.ceil(share * candidates.length);
    const recipe = { order: inOrder(candidates, workshop.demands, order), emptied, reuse, alone: i % 2 === 0 };
    yield { steps: workshop.compose(recipe, i === 0), result: () => workshop.plan() };
    // For one node every recipe is the same, and nothing can be combined in another way.
    if (candidates.length === 1) return;
  }
  yield* untilNoBetter(isSmall ? 1 : LAST_PATIENCE);
}

/** Starting moves that stand, and the deletion of nodes that have become empty since; undefined if any pod has to be placed. */
function planThatStands(problem: SearchProblem): DraftPlan | undefined {
  const { start, simulation } = problem;
  if (start?.stand !== true) return undefined;
  const fresh = [...start.changed];
  if (!fresh.every(isEmpty)) return undefined;
  const deletions = fresh.flatMap((c) => {
    const deleted = deletion(simulation, [c]);
    return 'move' in deleted ? (approved(problem, deleted.move) ?? []) : [];
  });
  const moves = start.moves.map((move) => approved(problem, move));
  if (!moves.every((move) => move !== undefined)) return undefined;
  return draftPlanOf(simulation, [...moves, ...deletions], new JointDeletions(problem));
}

/** Makes the starting moves again, plans the nodes that lost their move or changed, then improves the end of that plan. */
function* continued(workshop: Workshop, { moves, changed, round }: StartingMoves): Generator<Attempt> {
  const { draft, demands } = workshop;
  const result = () => workshop.plan();
  // Moves of nodes that changed come last, where they can be undone.
  const isSame = (move: Move) => !move.candidates.some((c) => changed.has(c));
  const inTurn = [...moves.filter(isSame), ...moves.filter((move) => !isSame(move))];
  yield { steps: redo(draft, inTurn), result, isFree: true };
  const started = new Set(moves.flatMap((move) => move.candidates));
  const nodes = withNeighbours(workshop, (c) => changed.has(c) || started.has(c));
  const which = REPAIRS[round % REPAIRS.length];
  const { order, share, reuse } = RECIPES[which];
  const emptied = Math.ceil(share * nodes.length);
  const recipe = { order: inOrder(nodes, demands, order), emptied, reuse, alone: which % 2 === 0 };
  yield { steps: workshop.compose(recipe), result };
  const improvement = new Improvement(workshop, workshop.plan(), round);
  yield { steps: improvement.reworkEnd(), result: () => improvement.result };
}

/** Free nodes that meet the condition, and the most wasteful other free nodes of the same kinds. */
function withNeighbours({ draft, candidates, demands }: Workshop, isOpen: (c: Candidate) => boolean): Candidate[] {
  const free = candidates.filter((c) => draft.isFree(c));
  const open = free.filter(isOpen);
  const left = new Map(open.map((c) => [demands.get(c)?.group, NEIGHBOURS]));
  const others = free.filter((c) => left.has(demands.get(c)?.group) && !isOpen(c));
  const near = inOrder(others, demands, 'waste').filter((c) => {
    const group = demands.get(c)?.group;
    const places = left.get(group) ?? 0;
    left.set(group, places - 1);
    return places > 0;
  });
  return [...open, ...near];
}

/** One draft, and everything that composing it needs. Pending pods have their places before anything is tried. */
export class Workshop implements Workbench {
  readonly draft: Draft;
  readonly candidates: readonly Candidate[];
  readonly trials: Trials;
  readonly demands: NodeDemands;
  private readonly launchOptions: LaunchOptions;
  private readonly newNodes: NewNodeCapacity;
  private readonly joint: JointDeletions;

  constructor(problem: SearchProblem, launchOptions: LaunchOptions, demands: NodeDemands) {
    this.candidates = problem.candidates;
    this.trials = new Trials(problem);
    this.launchOptions = launchOptions;
    this.demands = demands;
    this.newNodes = new NewNodeCapacity(problem, this.demands);
    this.joint = new JointDeletions(problem);
    this.draft = new Draft(this.trials, settlePending(problem));
  }

  /** `asStock`: begin with the group that stock would replace together. */
  *compose(given: Recipe, asStock = false): Generator<void, void> {
    const { draft, demands, launchOptions, newNodes } = this;
    const recipe = asStock ? { ...given, first: yield* this.replacedByStock() } : given;
    const composition = { draft, recipe, demands, launchOptions, newNodes, alone: replacedAlone(draft) };
    for (const phase of PHASES) yield* phase.run(composition);
  }

  /** Nothing is placed or removed when this is called. */
  noteBlockedGroups(moves: readonly Move[]): void {
    const leaving = new Set(moves.flatMap((move) => move.candidates));
    const staying = this.candidates.filter((c) => !leaving.has(c));
    noteBlockedGroups(this.trials, staying, this.demands, this.launchOptions);
  }

  plan(): DraftPlan {
    const moves = this.draft.steps.map((step) => step.move);
    return draftPlanOf(this.trials.problem.simulation, moves, this.joint);
  }

  /** Deletions go one by one, so that they can be put into waves. */
  private *replacedByStock(): Generator<void, readonly Candidate[]> {
    const free = this.candidates.filter((c) => this.draft.isFree(c));
    yield;
    const move = yield* largestPrefixSteps(this.trials.problem, movableTogether(free));
    return move?.kind === 'replace' ? move.candidates : [];
  }
}
