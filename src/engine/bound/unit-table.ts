import type { HostGroup, PodClass } from './packing.ts';

/** With more units the table is too slow to pay. */
const MOST_UNITS = 4096;

/**
 * An upper bound for the rest of a host that counts one resource exactly, in whole pods, and prices the others per
 * unit: the greatest value of the items from the k-th on, minus the price of the other resources they use, for each
 * remaining amount of the one resource (Lagrangian relaxation by dynamic programming).
 */
export class UnitTable {
  /** Shared by the tables of all hosts, one at a time: together they would not fit in memory. */
  private readonly space: TableSpace;
  private readonly resource: number;
  /** A divisor of all requests. */
  private readonly unit: number;
  private readonly units: number;
  private readonly amounts: Int32Array;
  private readonly queue: Int32Array;
  private table: Float64Array = new Float64Array(0);

  /** undefined if there would be too many units. */
  static for(
    host: HostGroup,
    classes: readonly PodClass[],
    resource: number,
    space: TableSpace,
  ): UnitTable | undefined {
    const amounts = host.classes.map((c) => classes[c].amounts[resource]);
    const unit = amounts.reduce(greatestCommonDivisor, 0);
    if (unit === 0 || host.capacity[resource] / unit > MOST_UNITS) return undefined;
    return new UnitTable(host.capacity[resource], amounts, unit, resource, space);
  }

  private constructor(capacity: number, amounts: readonly number[], unit: number, resource: number, space: TableSpace) {
    this.space = space;
    this.resource = resource;
    this.unit = unit;
    this.units = Math.floor(capacity / unit);
    this.amounts = Int32Array.from(amounts, (amount) => amount / unit);
    this.queue = new Int32Array(this.units + 1);
  }

  /** `nets`: by item, its value minus the price of the other resources. `most`: limit on its pods. */
  prepare(order: Int32Array, nets: Float64Array, most: Int32Array): void {
    const width = this.units + 1;
    this.table = this.space.atLeast((order.length + 1) * width);
    this.table.fill(0, order.length * width, (order.length + 1) * width);
    for (let k = order.length - 1; k >= 0; k--) {
      const item = order[k];
      if (nets[item] <= 0) this.table.copyWithin(k * width, (k + 1) * width, (k + 2) * width);
      else if (this.amounts[item] === 0) this.addFree(k, nets[item] * most[item]);
      else this.addItem(k, this.amounts[item], nets[item], most[item]);
    }
  }

  atMost(depth: number, left: Float64Array): number {
    return this.table[depth * (this.units + 1) + Math.floor(left[this.resource] / this.unit)];
  }

  private addFree(k: number, net: number): void {
    const width = this.units + 1;
    for (let u = 0; u < width; u++) this.table[k * width + u] = this.table[(k + 1) * width + u] + net;
  }

  /**
   * table[k][u] = max over n ≤ most of table[k + 1][u − n·amount] + n·net. For u = j·amount + rest this is the maximum
   * of table[k + 1][i·amount + rest] − i·net over the window j − most ≤ i ≤ j, plus j·net; a queue keeps the window's
   * maxima.
   */
  private addItem(k: number, amount: number, net: number, most: number): void {
    const { table, queue, units } = this;
    const here = k * (units + 1);
    const next = here + units + 1;
    for (let rest = 0; rest < amount && rest <= units; rest++) {
      let head = 0;
      let tail = 0;
      for (let j = 0, u = rest; u <= units; j++, u += amount) {
        const value = table[next + u] - j * net;
        while (tail > head && table[next + queue[tail - 1] * amount + rest] - queue[tail - 1] * net <= value) tail--;
        queue[tail++] = j;
        if (queue[head] < j - most) head++;
        table[here + u] = table[next + queue[head] * amount + rest] - queue[head] * net + j * net;
      }
    }
  }
}

export class TableSpace {
  private cells = new Float64Array(0);

  atLeast(size: number): Float64Array {
    if (this.cells.length < size) this.cells = new Float64Array(size);
    return this.cells;
  }
}

export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
