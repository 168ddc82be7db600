import { FractionalFilling } from './fractional-filling.ts';
import type { HostGroup, PodClass } from './packing.ts';
import { type TableSpace, UnitTable } from './unit-table.ts';

/**
 * Upper bounds on the value that fits on a host, from prices of its resources: y(r) ≥ 0 for the host's whole amount of
 * r.
 * - Prices alone: no pattern is worth more than Σ y(r) + Σ most(i) · max(0, value(i) − price of what i uses).
 * - Weighted sum: any Σ y(r) · resource r is a knapsack with one resource that allows at least as much; with fractional
 *   pods it is filled greedily by value per weight (Dantzig).
 * - One resource: any number of pods of the item with the greatest value per amount.
 * - Whole pods: one resource counted exactly, the others at their price (UnitTable).
 */
export class FillingBounds {
  private readonly host: HostGroup;
  /** Resources that some item requests. */
  private readonly resources: readonly number[];
  /** By item and resource: share of the host's capacity. */
  private readonly shares: Float64Array;
  private readonly most: Int32Array;
  private readonly fractional: FractionalFilling;
  private readonly tables: readonly (UnitTable | undefined)[];
  private readonly values: Float64Array;
  /** Kept between rounds: values change little, and so do good prices. */
  private readonly prices: Float64Array;
  /** By item: pods of it in the fractional optimum. */
  private readonly pods: Float64Array;
  /** By item, in prices. */
  private readonly weights: Float64Array;
  private order: Int32Array = new Int32Array(0);
  /** By resource and depth: the greatest value per share among the remaining items. */
  private readonly densest: readonly Float64Array[];
  private table: UnitTable | undefined;
  private counted = -1;

  constructor(host: HostGroup, classes: readonly PodClass[], space: TableSpace) {
    this.host = host;
    this.resources = Array.from(host.capacity.keys()).filter((d) =>
      host.classes.some((c) => classes[c].amounts[d] > 0),
    );
    const items = host.classes.length;
    const width = this.resources.length;
    this.shares = new Float64Array(items * width);
    this.most = new Int32Array(items);
    host.classes.forEach((c, i) => {
      const { amounts, pods } = classes[c];
      let most = pods;
      this.resources.forEach((d, r) => {
        this.shares[i * width + r] = amounts[d] / host.capacity[d];
        if (amounts[d] > 0) most = Math.min(most, Math.floor(host.capacity[d] / amounts[d]));
      });
      this.most[i] = most;
    });
    this.fractional = new FractionalFilling(this.shares, this.most, width);
    this.tables = this.resources.map((d) => UnitTable.for(host, classes, d, space));
    this.values = new Float64Array(items);
    this.prices = new Float64Array(width);
    this.pods = new Float64Array(items);
    this.weights = new Float64Array(items);
    this.densest = this.resources.map(() => new Float64Array(items + 1));
  }

  /**
   * Sets new values by class. Returns an upper bound on a host's value, with new prices only if it exceeds `enough`.
   */
  take(valuesByClass: Float64Array, enough: number): number {
    this.host.classes.forEach((c, i) => {
      this.values[i] = valuesByClass[c];
    });
    const atMost = this.byPrices();
    if (atMost <= enough) return atMost;
    this.fractional.solve(this.values, this.prices, this.pods);
    return this.byPrices();
  }

  private byPrices(): number {
    const { prices, values, most, weights, shares } = this;
    const width = prices.length;
    let atMost = 0;
    for (let r = 0; r < width; r++) atMost += prices[r];
    for (let i = 0; i < values.length; i++) {
      let weight = 0;
      for (let r = 0; r < width; r++) weight += prices[r] * shares[i * width + r];
      weights[i] = weight;
      if (values[i] > weight) atMost += most[i] * (values[i] - weight);
    }
    return atMost;
  }

  /** The search order: items with a value, greatest value per weight first. `exactly`: with the table. */
  prepare(exactly: boolean): Int32Array {
    const { values, weights } = this;
    // Equal densities by index, so that the order never depends on earlier calls.
    this.order = Int32Array.from(values.keys())
      .filter((i) => values[i] > 0)
      .sort((a, b) => values[b] * weights[a] - values[a] * weights[b] || a - b);
    this.findDensest();
    this.table = undefined;
    if (exactly) this.fillTable();
    return this.order;
  }

  private findDensest(): void {
    const { order, shares, values } = this;
    const width = this.resources.length;
    this.densest.forEach((densest, r) => {
      densest[order.length] = 0;
      for (let k = order.length - 1; k >= 0; k--) {
        const share = shares[order[k] * width + r];
        densest[k] = Math.max(densest[k + 1], share === 0 ? Infinity : values[order[k]] / share);
      }
    });
  }

  /** For the most expensive resource with few enough units. */
  private fillTable(): void {
    const { tables, prices, shares, values, weights } = this;
    this.counted = -1;
    for (let r = 0; r < tables.length; r++)
      if (tables[r] !== undefined && (this.counted < 0 || prices[r] > prices[this.counted])) this.counted = r;
    this.table = tables[this.counted];
    if (this.table === undefined) return;
    const nets = new Float64Array(values.length);
    const own = prices[this.counted];
    for (const i of this.order) nets[i] = values[i] - weights[i] + own * shares[i * tables.length + this.counted];
    this.table.prepare(this.order, nets, this.most);
  }

  valueOf(item: number): number {
    return this.values[item];
  }

  /** An estimate of the item's pods in a good pattern. */
  guessOf(item: number): number {
    return Math.floor(this.pods[item] + 1e-9);
  }

  /** Upper limit on pods of the item's class per host. */
  mostOf(item: number): number {
    return this.most[item];
  }

  /** Upper bound on the value of the items from `depth` on in the remaining amounts. */
  atMost(depth: number, left: Float64Array): number {
    const { resources, prices, table, counted, host } = this;
    let available = 0;
    let others = 0;
    let atMost = Infinity;
    for (let r = 0; r < resources.length; r++) {
      const d = resources[r];
      const share = left[d] / host.capacity[d];
      available += prices[r] * share;
      if (r !== counted) others += prices[r] * share;
      const dense = this.densest[r][depth];
      if (dense < Infinity) atMost = Math.min(atMost, share * dense);
    }
    if (table !== undefined) atMost = Math.min(atMost, others + table.atMost(depth, left));
    return Math.min(atMost, this.greedy(depth, available));
  }

  private greedy(depth: number, available: number): number {
    const { order, values, weights, most } = this;
    let value = 0;
    let left = available;
    for (let k = depth; k < order.length; k++) {
      const item = order[k];
      const weight = most[item] * weights[item];
      if (weight > left) return value + (values[item] * left) / weights[item];
      value += most[item] * values[item];
      left -= weight;
    }
    return value;
  }
}
