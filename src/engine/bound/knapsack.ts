import { FillingBounds } from './filling-bounds.ts';
import type { HostGroup, Pattern, PodClass } from './packing.ts';
import type { TableSpace } from './unit-table.ts';

/** The most valuable pods that fit on one host. */
export interface Filling {
  readonly pattern: Pattern;
  /** Value of the pattern. */
  readonly value: number;
  /** Upper bound on the value of any pattern. */
  readonly atMost: number;
}

export interface Effort {
  readonly steps: number;
  /** Use bounds that take longer to prepare and prune more. */
  readonly exactly: boolean;
}

/** Subtrees that could improve the best pattern by less than this share are skipped. */
const WORTHWHILE = 1e-4;
/** Covers rounding in sums of a few hundred terms. */
const ROUNDING = 1 + 1e-9;

/**
 * Which pods to put on a host if each class has a value: a knapsack with several resources. Depth-first branch and
 * bound in order of value per (weighted) resource. It may stop early; `atMost` still holds, because every skipped
 * subtree contributes its upper bound.
 */
export class Knapsack {
  private readonly host: HostGroup;
  private readonly classes: readonly PodClass[];
  private readonly bounds: FillingBounds;
  // State of the current search; there is one at a time.
  private order: Int32Array = new Int32Array(0);
  private length = 0;
  private readonly left: Float64Array;
  private readonly taken: Int32Array;
  private readonly best: Int32Array;
  private bestValue = 0;
  private unseen = 0;
  private enough = 0;
  private steps = 0;

  constructor(host: HostGroup, classes: readonly PodClass[], space: TableSpace) {
    this.host = host;
    this.classes = classes;
    this.bounds = new FillingBounds(host, classes, space);
    this.left = new Float64Array(host.capacity.length);
    this.taken = new Int32Array(host.classes.length);
    this.best = new Int32Array(host.classes.length);
  }

  /** `values`: by class of the packing. `enough`: values below this need not be exact. */
  fill(values: Float64Array, enough: number, effort: Effort): Filling {
    const atMost = this.bounds.take(values, enough);
    if (atMost <= enough) return { pattern: { classes: [], pods: [] }, value: 0, atMost: atMost * ROUNDING };
    this.order = this.bounds.prepare(effort.exactly);
    this.length = this.order.length;
    this.left.set(this.host.capacity);
    this.taken.fill(0);
    this.best.fill(0);
    this.bestValue = 0;
    this.unseen = 0;
    this.enough = enough;
    this.steps = effort.steps;
    this.explore(0, 0);
    return {
      pattern: this.bestPattern(),
      value: this.bestValue,
      atMost: Math.max(this.bestValue, this.unseen) * ROUNDING,
    };
  }

  private explore(depth: number, value: number): void {
    if (value > this.bestValue) {
      this.bestValue = value;
      this.best.set(this.taken);
    }
    if (depth === this.length) return;
    const atMost = value + this.bounds.atMost(depth, this.left);
    const cut = Math.max(this.bestValue * (1 + WORTHWHILE), this.enough);
    if (atMost <= cut || this.steps <= 0) {
      if (atMost > this.unseen) this.unseen = atMost;
      return;
    }
    this.steps--;
    const item = this.order[depth];
    const { amounts } = this.classes[this.host.classes[item]];
    const worth = this.bounds.valueOf(item);
    const most = this.most(item, amounts);
    // First from the fractional optimum down to none, then above it.
    const guess = Math.min(most, this.bounds.guessOf(item));
    for (let pods = guess; pods >= 0; pods--) this.exploreWith(item, pods, amounts, depth, value + pods * worth);
    for (let pods = guess + 1; pods <= most; pods++) this.exploreWith(item, pods, amounts, depth, value + pods * worth);
  }

  private exploreWith(item: number, pods: number, amounts: Float64Array, depth: number, value: number): void {
    const { left } = this;
    for (let d = 0; d < left.length; d++) left[d] -= pods * amounts[d];
    this.taken[item] = pods;
    this.explore(depth + 1, value);
    this.taken[item] = 0;
    for (let d = 0; d < left.length; d++) left[d] += pods * amounts[d];
  }

  private most(item: number, amounts: Float64Array): number {
    let pods = this.bounds.mostOf(item);
    for (let d = 0; d < amounts.length; d++)
      if (amounts[d] > 0) pods = Math.min(pods, Math.floor(this.left[d] / amounts[d]));
    return pods;
  }

  private bestPattern(): Pattern {
    const classes: number[] = [];
    const pods: number[] = [];
    this.best.forEach((n, item) => {
      if (n === 0) return;
      classes.push(this.host.classes[item]);
      pods.push(n);
    });
    return { classes, pods };
  }
}
