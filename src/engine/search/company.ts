import type { Move } from '../policies/consolidate.ts';
import { isCompany, mostTogether, needsCompany } from './bundles.ts';
import { type Need, needsOf, Wave } from './needs.ts';
import type { SearchProblem } from './problem.ts';

/** Tells which deletions that may only go together with others will find some in their wave. */
export class Company {
  private readonly needsOf: (move: Move) => readonly Need[];
  private readonly needs = new WeakMap<Move, readonly Need[]>();

  constructor(problem: SearchProblem) {
    this.needsOf = needsOf(problem);
  }

  /** The moves without those that would be left alone. */
  among(moves: readonly Move[]): readonly Move[] {
    if (!moves.some(needsCompany)) return moves;
    const alone = new Set(moves.filter(needsCompany));
    const others = moves.filter((move) => isCompany(move) && !needsCompany(move));
    for (let together = this.nextWave(alone, others); together.length > 0; together = this.nextWave(alone, others)) {
      for (const move of together) alone.delete(move);
    }
    return moves.filter((move) => !alone.has(move));
  }

  /** Those that can go together at once; none if only one can. */
  private nextWave(left: Iterable<Move>, others: readonly Move[]): readonly Move[] {
    const wave = new Wave();
    const taken: Move[] = [];
    const take = (move: Move) => {
      const needs = this.knownNeeds(move);
      if (!isCompany(move) || !wave.takes(needs)) return;
      wave.take(needs);
      taken.push(move);
    };
    for (const move of left) take(move);
    for (const move of others) if (taken.length === 1) take(move);
    if (taken.length % 2 === 1 && mostTogether(taken) === 2) taken.pop();
    return taken.length > 1 ? taken : [];
  }

  private knownNeeds(move: Move): readonly Need[] {
    let needs = this.needs.get(move);
    if (needs === undefined) {
      needs = this.needsOf(move);
      this.needs.set(move, needs);
    }
    return needs;
  }
}
