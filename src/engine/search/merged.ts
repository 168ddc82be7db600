import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import { multiNode } from '../policies/stock-methods.ts';
import { Draft, type DraftPlan, isBetter, NO_MOVES } from './draft.ts';
import { Improvement } from './improvement.ts';
import { inOrder, type OrderName, type Usage, usages } from './order.ts';
import { settlePending } from './pending.ts';
import type { SearchProblem } from './problem.ts';
import { Trials } from './trials.ts';

export interface SearchBudget {
  /** Pods placed in trials, at most; the same budget gives the same plan everywhere. */
  readonly work: number;
}

export interface SearchProgress {
  readonly work: number;
  readonly netCents: number;
  readonly moves: number;
}

export interface SearchResult {
  readonly moves: readonly Move[];
  /** Candidates that were part of any trial. */
  readonly examined: number;
  readonly work: number;
  /** Plans that were put together, the last perhaps in part. */
  readonly drafts: number;
}

/**
 * The merged search (policies document, option 1): puts together one plan after the other and keeps the best, until
 * its budget of work is used up or nothing gets better. Passing true to `next` asks for the best plan so far.
 */
export function* searchMerged(
  problem: SearchProblem,
  budget: SearchBudget,
): Generator<SearchProgress, SearchResult, boolean | undefined> {
  const { simulation, candidates } = problem;
  const trials = new Trials(problem);
  const usage = usages(simulation.cluster, candidates, trials.vessels);
  let best: DraftPlan = NO_MOVES;
  let drafts = 0;
  const depth = simulation.depth;
  const settled = settlePending(problem);
  const draft = new Draft(trials, usage, settled);
  try {
    for (const attempt of attempts(problem, usage, draft, () => best)) {
      drafts++;
      let over = false;
      for (const _ of attempt.steps) {
        over =
          trials.work > budget.work ||
          (yield { work: trials.work, netCents: best.netCents, moves: best.moves.length }) === true;
        if (over) break;
      }
      const plan = attempt.result();
      if (isBetter(plan, best)) best = plan;
      if (over) break;
    }
  } finally {
    draft.close();
    simulation.undoTo(depth);
  }
  return { moves: best.moves, examined: trials.examined.size, work: trials.work, drafts };
}

interface Attempt {
  readonly steps: Generator<void, void>;
  /** What came of it, also when it was left early. */
  result(): DraftPlan;
}

/** Recipes from scratch: an order, and the share of the nodes that is meant to go. */
const SKETCHES: readonly { readonly order: OrderName; readonly share: number; readonly reuse: boolean }[] = [
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
/** So many are put together before any is improved. */
const FIRST = 3;
/** Improvements in vain before something new is tried, and before the search comes to rest. */
const PATIENCE = 3;
const LAST_PATIENCE = 8;
/** Two nodes can be put together in so few ways that the recipes and one improvement try about all of them. */
const PAIR = 2;

/** What to try: some plans from scratch, improvements of the best so far between them, until nothing gets better. */
function* attempts(
  problem: SearchProblem,
  usage: ReadonlyMap<Candidate, Usage>,
  draft: Draft,
  best: () => DraftPlan,
): Generator<Attempt> {
  const { candidates } = problem;
  const isSmall = candidates.length <= PAIR;
  let round = 0;
  const improve = (): Attempt => {
    const improvement = new Improvement(draft, candidates, best(), ++round);
    return { steps: improvement.run(), result: () => improvement.result };
  };
  function* untilAtRest(patience: number): Generator<Attempt> {
    for (let inVain = 0; inVain < patience; ) {
      const before = best();
      yield improve();
      inVain = best() === before ? inVain + 1 : 0;
    }
  }
  for (const [i, { order, share, reuse }] of SKETCHES.entries()) {
    if (i >= FIRST && !isSmall) yield* untilAtRest(PATIENCE);
    draft.undoTo(0);
    const first = i === 0 ? stockGroup(problem, draft) : undefined;
    const doomed = Math.ceil(share * candidates.length);
    const recipe = { order: inOrder(candidates, usage, order), doomed, reuse, alone: i % 2 === 0, first };
    yield { steps: draft.compose(recipe), result: () => draft.plan() };
    // For one node by itself every recipe is the same, and there is nothing to put together in another way.
    if (candidates.length === 1) return;
  }
  yield* untilAtRest(isSmall ? 1 : LAST_PATIENCE);
}

/** What stock would exchange together, for a start. Deletions go one by one, so that they can be put into waves. */
function stockGroup({ simulation, candidates, budgets, totals }: SearchProblem, draft: Draft): readonly Candidate[] {
  const together = candidates.filter((c) => c.methods.multi && draft.isFree(c));
  const move = multiNode(simulation, together, new Map(budgets.Underutilized), totals);
  return move?.kind === 'replace' ? move.candidates : [];
}
