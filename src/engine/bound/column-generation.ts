import { type Effort, type Filling, Knapsack } from './knapsack.ts';
import { lagrangianBound, type ValuedBound } from './lagrangian.ts';
import type { LpSolver } from './linear-program.ts';
import { Master, type MasterAnswer } from './master.ts';
import type { Packing } from './packing.ts';
import { TableSpace } from './unit-table.ts';
import { ValueBox } from './value-box.ts';

export interface RoundLimits {
  /** Rounds of column generation; each solves one linear program and fills every host group once. */
  readonly rounds: number;
  /** Asked before each round; if true, the best bound so far is the result. */
  readonly stop?: () => boolean;
}

export interface Configurations {
  /** Dollars per hour. */
  readonly bound: number;
  readonly rounds: number;
  /** The configuration program is solved; more rounds would not raise the bound. */
  readonly converged: boolean;
}

/** Relative distance between the bound and the patterns' price below which more rounds do not pay. */
const CLOSE_ENOUGH = 5e-4;
/** Search efforts of the knapsacks: raised when no better pattern is found, or near convergence. */
const EFFORTS: readonly Effort[] = [
  { steps: 100, exactly: false },
  { steps: 1000, exactly: true },
  { steps: 10_000, exactly: true },
];
/** Relative distance below which loose upper bounds limit the result. */
const NEAR = 0.02;
/** A pattern must be worth more than its host by more than the solver's tolerance. */
const TOLERANCE = 1e-7;

/** Factors by which the box of values grows or shrinks. */
const AFTER_SUCCESS = 2;
const AFTER_FAILURE = 0.7;
const AFTER_STANDSTILL = 4;

/**
 * The configuration program by column generation. Its columns are patterns, ways to fill one host. A master program
 * selects among the known patterns and gives each class a value; a knapsack per host group searches for patterns worth
 * more than their host at these values. Every round proves a bound from the knapsacks' upper bounds, converged or not;
 * the best one counts.
 */
export class ColumnGeneration {
  private readonly packing: Packing;
  private readonly solver: LpSolver;
  private readonly knapsacks: readonly Knapsack[];
  private readonly master: Master;
  private readonly box: ValueBox;
  private effort = 0;
  private best: ValuedBound;

  constructor(packing: Packing, start: ValuedBound, solver: LpSolver) {
    this.packing = packing;
    this.solver = solver;
    const space = new TableSpace();
    this.knapsacks = packing.hosts.map((host) => new Knapsack(host, packing.classes, space));
    this.master = new Master(packing);
    this.box = new ValueBox(packing);
    this.best = start;
  }

  run(limits: RoundLimits): Configurations {
    let rounds = 0;
    if (limits.rounds > 0 && limits.stop?.() !== true) this.addFirstPatterns();
    while (rounds < limits.rounds && limits.stop?.() !== true) {
      this.master.keepIn(this.box.around(this.best.values));
      const answer = this.master.solve(this.solver);
      if (answer === undefined) break;
      rounds++;
      const next = this.improve(answer);
      if (next !== 'go on') return { bound: this.best.bound, rounds, converged: next === 'converged' };
    }
    return { bound: this.best.bound, rounds, converged: false };
  }

  private addFirstPatterns(): void {
    const anything = new Float64Array(this.packing.hosts.length);
    this.fillAll(this.best.values, anything).forEach(({ pattern }, h) => {
      if (pattern.classes.length > 0) this.master.add(h, pattern);
    });
  }

  /** One round at the master's values. */
  private improve(answer: MasterAnswer): 'converged' | 'exhausted' | 'go on' {
    const before = this.best.bound;
    const found = this.addUseful(answer);
    const pressing = this.box.pressing(answer.values);
    const distance = answer.price > 0 ? 1 - this.best.bound / answer.price : 0;
    if (pressing.length === 0 && distance < CLOSE_ENOUGH) return 'converged';
    const hardest = EFFORTS.length - 1;
    if (found === 0 && this.best.bound <= before) {
      if (pressing.length === 0 && this.effort === hardest) return 'exhausted';
      this.box.widen(pressing, AFTER_STANDSTILL);
      this.effort = Math.min(hardest, this.effort + 1);
      return 'go on';
    }
    if (this.best.bound > before) this.box.widen(pressing, AFTER_SUCCESS);
    else this.box.narrow(AFTER_FAILURE);
    // The hardest search is only for stagnation: it takes longer than everything else.
    if (this.effort === hardest || distance < NEAR) this.effort = Math.min(hardest - 1, this.effort + 1);
    return 'go on';
  }

  /** Adds patterns worth more than their host; returns how many. */
  private addUseful({ values, rents }: MasterAnswer): number {
    const worthwhile = rents.map((rent, h) => this.packing.hosts[h].price + rent);
    let added = 0;
    this.fillAll(values, worthwhile).forEach(({ pattern, value }, h) => {
      if (value <= worthwhile[h] * (1 + TOLERANCE) + TOLERANCE ** 2) return;
      this.master.add(h, pattern);
      added++;
    });
    return added;
  }

  /** Fills every host at these values, and records the bound that this proves. */
  private fillAll(values: Float64Array, enough: Float64Array): Filling[] {
    const fillings = this.knapsacks.map((knapsack, h) => knapsack.fill(values, enough[h], EFFORTS[this.effort]));
    const proven = lagrangianBound(
      this.packing,
      values,
      Float64Array.from(fillings, ({ atMost }) => atMost),
    );
    if (proven.bound > this.best.bound) this.best = proven;
    return fillings;
  }
}
