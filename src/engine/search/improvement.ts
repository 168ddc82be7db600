import type { Candidate } from '../disruption/candidates.ts';
import type { Move } from '../policies/consolidate.ts';
import { type Die, dieOf, oneOf, shuffled } from './die.ts';
import { type Draft, type DraftPlan, isBetter, type Recipe } from './draft.ts';
import { inChains } from './following.ts';

/** Moves that are given up and planned anew together, at most. */
const REOPENED = 8;
/** Times that the end of the plan is worked on before other moves are brought there. */
const TRIES = 16;
/** Nodes that stay and are looked at again beside those that are set free. */
const STAYING = 6;
const DOOMED: readonly number[] = [0.4, 0.7, 1];

/**
 * Makes a plan better, a few moves at a time: the last ones are taken back, their nodes planned anew in another order,
 * and the result is kept unless it is worse. Moves are taken back last first, so now and then the plan is made again
 * with others at the end.
 */
export class Improvement {
  private readonly draft: Draft;
  private readonly candidates: readonly Candidate[];
  private readonly die: Die;
  private best: DraftPlan;

  constructor(draft: Draft, candidates: readonly Candidate[], best: DraftPlan, seed: number) {
    this.draft = draft;
    this.candidates = candidates;
    this.die = dieOf(seed);
    this.best = best;
  }

  get result(): DraftPlan {
    return this.best;
  }

  *run(): Generator<void, void> {
    const { draft, die } = this;
    draft.undoTo(0);
    draft.redo(this.rearranged());
    yield;
    // What cannot be done in the new order is planned anew.
    const undone = this.best.moves.flatMap((move) => move.candidates).filter((c) => draft.isFree(c));
    yield* draft.compose({ order: undone, doomed: undone.length, reuse: false, alone: true });
    this.note();
    for (let i = 0; i < TRIES && draft.length > 0; i++) {
      const { worth } = draft;
      const reopened = draft.undoTo(Math.max(0, draft.length - 2 - Math.floor(die() * (REOPENED - 1))));
      const length = draft.length;
      yield* draft.compose(this.recipe(reopened));
      if (draft.worth < worth - 1e-9) {
        draft.undoTo(length);
        draft.redo(reopened);
      }
      this.note();
    }
  }

  private note(): void {
    const plan = this.draft.plan();
    if (isBetter(plan, this.best)) this.best = plan;
  }

  /** The best plan's moves, some of one pool at the end: those can take each other's place. */
  private rearranged(): readonly Move[] {
    const { die } = this;
    const chains = inChains(this.best.moves);
    if (chains.length === 0) return [];
    const shuffledChains = shuffled(chains, die);
    const poolOf = ([{ candidates }]: readonly Move[]) => candidates[0].pool.name;
    const pool = poolOf(oneOf(shuffledChains, die));
    // As many as are worked on; the rest keeps the order in which it is known to fit.
    const last = new Set(shuffledChains.filter((chain) => poolOf(chain) === pool).slice(0, 2 * REOPENED));
    return [...chains.filter((chain) => !last.has(chain)), ...last].flat();
  }

  private recipe(reopened: readonly Move[]): Recipe {
    const { die, draft, candidates } = this;
    const freed = new Set<Candidate>(reopened.flatMap((move) => move.candidates));
    const rows = new Set(reopened.flatMap((move) => move.placements.map(({ row }) => row)));
    for (const c of candidates) if (rows.has(c.row) && draft.isFree(c)) freed.add(c);
    for (let i = 0; i < STAYING; i++) {
      const c = oneOf(candidates, die);
      if (draft.isFree(c)) freed.add(c);
    }
    const order = shuffled([...freed], die);
    return { order, doomed: Math.ceil(order.length * oneOf(DOOMED, die)), reuse: die() < 0.3, alone: die() < 0.5 };
  }
}
