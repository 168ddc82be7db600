import type { Candidate } from '../../disruption/candidates.ts';
import type { Move } from '../../moves/move.ts';
import { resultOf } from '../../steps.ts';
import { inChains } from '../following.ts';
import { isGreater } from '../net-benefit.ts';
import type { Draft } from './draft.ts';
import { type DraftPlan, isBetter } from './draft-plan.ts';
import type { Recipe } from './phase.ts';
import { pickOne, type Random, seededRandom, shuffled } from './seeded-random.ts';

/** Limit on moves that are undone and planned again together. */
const REOPENED = 8;
/** Attempts on the end of the plan before other moves are put there. */
const TRIES = 16;
/** Staying nodes that are tried again beside the freed ones. */
const STAYING = 6;
const EMPTIED_SHARES: readonly number[] = [0.4, 0.7, 1];

/** What an improvement may do with a draft. */
export interface Workbench {
  readonly draft: Draft;
  readonly candidates: readonly Candidate[];
  compose(recipe: Recipe): Generator<void, void>;
  plan(): DraftPlan;
}

/**
 * Improves a plan a few moves at a time: undoes the last ones, plans their nodes again in another order, and keeps the
 * result unless it is worse. Moves are undone last first, so each improvement begins by repeating the plan with other
 * moves at its end.
 */
export class Improvement {
  private readonly bench: Workbench;
  private readonly random: Random;
  private best: DraftPlan;

  constructor(bench: Workbench, best: DraftPlan, seed: number) {
    this.bench = bench;
    this.random = seededRandom(seed);
    this.best = best;
  }

  get result(): DraftPlan {
    return this.best;
  }

  *run(): Generator<void, void> {
    const { bench } = this;
    const { draft } = bench;
    draft.undoTo(0);
    resultOf(redo(draft, this.rearranged()));
    yield;
    // What is not possible in the new order is planned again.
    const undone = this.best.moves.flatMap((move) => move.candidates).filter((c) => draft.isFree(c));
    yield* bench.compose({ order: undone, emptied: undone.length, reuse: false, alone: true });
    this.note();
    yield* this.reworkEnd();
  }

  /** Improves the last moves of the current draft. */
  *reworkEnd(): Generator<void, void> {
    const { bench, random } = this;
    const { draft } = bench;
    for (let i = 0; i < TRIES && draft.length > 0; i++) {
      const { benefit } = draft;
      const reopened = draft.undoTo(Math.max(0, draft.length - 2 - Math.floor(random() * (REOPENED - 1))));
      const { length } = draft;
      yield* bench.compose(this.recipe(reopened));
      if (isGreater(benefit, draft.benefit)) {
        draft.undoTo(length);
        resultOf(redo(draft, reopened));
      }
      this.note();
    }
  }

  private note(): void {
    const plan = this.bench.plan();
    if (isBetter(plan, this.best)) this.best = plan;
  }

  /** The best plan's moves, some of one pool at the end: those can replace each other. */
  private rearranged(): readonly Move[] {
    const { random } = this;
    const chains = inChains(this.best.moves);
    if (chains.length === 0) return [];
    const shuffledChains = shuffled(chains, random);
    const poolOf = ([{ candidates }]: readonly Move[]) => candidates[0].pool.name;
    const pool = poolOf(pickOne(shuffledChains, random));
    // Only as many as are improved; the rest keeps its order, which is known to fit.
    const last = new Set(shuffledChains.filter((chain) => poolOf(chain) === pool).slice(0, 2 * REOPENED));
    return [...chains.filter((chain) => !last.has(chain)), ...last].flat();
  }

  private recipe(reopened: readonly Move[]): Recipe {
    const { random } = this;
    const { draft, candidates } = this.bench;
    const freed = new Set<Candidate>(reopened.flatMap((move) => move.candidates));
    const rows = new Set(reopened.flatMap((move) => move.placements.map(({ row }) => row)));
    for (const c of candidates) if (rows.has(c.row) && draft.isFree(c)) freed.add(c);
    for (let i = 0; i < STAYING; i++) {
      const c = pickOne(candidates, random);
      if (draft.isFree(c)) freed.add(c);
    }
    const order = shuffled([...freed], random);
    const emptied = Math.ceil(order.length * pickOne(EMPTIED_SHARES, random));
    return { order, emptied, reuse: random() < 0.3, alone: random() < 0.5 };
  }
}

/** Makes moves of another plan again with the same placements, as far as possible. */
export function* redo(draft: Draft, moves: readonly Move[]): Generator<void, void> {
  const all = moves.flatMap((move) => move.candidates);
  for (const c of all) draft.avoid(c, true);
  for (const move of moves) {
    if (!draft.tryAgain(move)) for (const c of move.candidates) draft.avoid(c, false);
    yield;
  }
  for (const c of all) draft.avoid(c, false);
}
