import type { Packing } from './packing.ts';

/** Limits of each class's value. */
export interface Limits {
  readonly least: Float64Array;
  readonly most: Float64Array;
}

/** Half the initial and least width of the box, relative to the value in its middle. */
const FIRST_WIDTH = 0.1;
const LEAST_WIDTH = 1e-3;
/** Values near 0 get the width of this share of their ceiling. */
const LEAST_VALUE = 0.02;
/** Relative tolerance for "at the limit". */
const AT_LIMIT = 1e-6;

/**
 * A box around the best known values that limits the next ones: wider where values reach a limit and that was an
 * improvement, narrower everywhere if it was not.
 */
export class ValueBox {
  /** By class: the price of a new node for one pod, so no pod is worth more. */
  private readonly ceiling: Float64Array;
  private readonly width: Float64Array;
  private limits: Limits;

  constructor({ classes, hosts }: Packing) {
    const allThereIs = hosts.reduce((sum, { price, count }) => sum + (count === Infinity ? 0 : price * count), 0);
    this.ceiling = new Float64Array(classes.length).fill(allThereIs + 1);
    for (const { price, count, classes: here } of hosts)
      if (count === Infinity) for (const c of here) this.ceiling[c] = Math.min(this.ceiling[c], price);
    this.width = new Float64Array(classes.length).fill(FIRST_WIDTH);
    this.limits = { least: new Float64Array(classes.length), most: this.ceiling };
  }

  around(values: Float64Array): Limits {
    const reach = (v: number, c: number) => this.width[c] * Math.max(v, LEAST_VALUE * this.ceiling[c]);
    this.limits = {
      least: values.map((v, c) => Math.max(0, v - reach(v, c))),
      most: values.map((v, c) => Math.min(this.ceiling[c], v + reach(v, c))),
    };
    return this.limits;
  }

  /** Classes at a limit of the box that is not a limit of all values. */
  pressing(values: Float64Array): number[] {
    const { least, most } = this.limits;
    return Array.from(values.keys()).filter(
      (c) =>
        (least[c] > 0 && values[c] <= least[c] * (1 + AT_LIMIT)) ||
        (most[c] < this.ceiling[c] && values[c] >= most[c] * (1 - AT_LIMIT)),
    );
  }

  widen(classes: readonly number[], factor: number): void {
    for (const c of classes) this.width[c] *= factor;
  }

  narrow(factor: number): void {
    for (let c = 0; c < this.width.length; c++) this.width[c] = Math.max(LEAST_WIDTH, this.width[c] * factor);
  }
}
