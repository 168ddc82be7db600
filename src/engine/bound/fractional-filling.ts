const TOLERANCE = 1e-12;

/**
 * The knapsack of one host with fractional pods, by the simplex method with bounded variables on a dense tableau: one
 * row per resource, so a step is a few hundred operations. It yields prices of the resources and estimates of pods per
 * item. Any prices ≥ 0 give an upper bound, so nothing depends on rounding or on reaching the optimum.
 */
export class FractionalFilling {
  private readonly items: number;
  private readonly resources: number;
  /** Items, then one slack per resource, then the right-hand side. */
  private readonly width: number;
  private readonly shares: Float64Array;
  private readonly upper: Float64Array;
  private readonly tableau: Float64Array;
  /** Reduced gain of each variable. */
  private readonly gains: Float64Array;
  private readonly basic: Int32Array;
  /** Variables measured down from their upper limit. */
  private readonly flipped: Uint8Array;

  /** `shares`: by item and resource, as shares of the host's capacity. `most`: pods per item. */
  constructor(shares: Float64Array, most: Int32Array, resources: number) {
    this.items = most.length;
    this.resources = resources;
    this.width = this.items + this.resources + 1;
    this.shares = shares;
    this.upper = new Float64Array(this.items + this.resources).fill(Infinity);
    this.upper.set(most);
    this.tableau = new Float64Array(this.resources * this.width);
    this.gains = new Float64Array(this.items + this.resources);
    this.basic = new Int32Array(this.resources);
    this.flipped = new Uint8Array(this.items + this.resources);
  }

  /**
   * Writes the price of a host's whole amount of each resource into `prices`, and the pods of each item into `pods`.
   */
  solve(values: Float64Array, prices: Float64Array, pods: Float64Array): void {
    this.reset(values);
    const { gains, items } = this;
    for (let left = 20 * this.width; left > 0; left--) {
      let entering = -1;
      let most = TOLERANCE;
      for (let j = 0; j < gains.length; j++) {
        if (gains[j] > most) {
          most = gains[j];
          entering = j;
        }
      }
      if (entering < 0) break;
      this.enter(entering);
    }
    for (let r = 0; r < prices.length; r++) prices[r] = Math.max(0, -gains[items + r]);
    this.writePods(pods);
  }

  private writePods(pods: Float64Array): void {
    const { basic, tableau, width, items, upper, flipped } = this;
    pods.fill(0);
    basic.forEach((j, r) => {
      if (j < items) pods[j] = tableau[r * width + width - 1];
    });
    for (let i = 0; i < items; i++) if (flipped[i] === 1) pods[i] = upper[i] - pods[i];
  }

  private reset(values: Float64Array): void {
    const { items, resources, width, tableau, shares } = this;
    tableau.fill(0);
    this.flipped.fill(0);
    this.gains.fill(0);
    this.gains.set(values);
    for (let r = 0; r < resources; r++) {
      for (let i = 0; i < items; i++) tableau[r * width + i] = shares[i * resources + r];
      tableau[r * width + items + r] = 1;
      tableau[r * width + width - 1] = 1;
      this.basic[r] = items + r;
    }
  }

  /** Raises a variable until it or a basic one reaches a limit. */
  private enter(j: number): void {
    const { resources, width, tableau, upper, basic } = this;
    const end = width - 1;
    let step = upper[j];
    let row = -1;
    let meetsUpper = false;
    for (let r = 0; r < resources; r++) {
      const rate = tableau[r * width + j];
      const now = tableau[r * width + end];
      if (rate > TOLERANCE && now / rate < step) {
        step = now / rate;
        row = r;
        meetsUpper = false;
      } else if (rate < -TOLERANCE && (now - upper[basic[r]]) / rate < step) {
        step = (now - upper[basic[r]]) / rate;
        row = r;
        meetsUpper = true;
      }
    }
    if (row < 0) {
      this.flip(j);
      return;
    }
    if (meetsUpper) this.flipBasic(row);
    this.pivot(row, j);
  }

  /** Moves a variable to its other limit and measures from there. */
  private flip(j: number): void {
    const { resources, width, tableau, upper, gains } = this;
    for (let r = 0; r < resources; r++) {
      tableau[r * width + width - 1] -= upper[j] * tableau[r * width + j];
      tableau[r * width + j] *= -1;
    }
    gains[j] *= -1;
    this.flipped[j] ^= 1;
  }

  private flipBasic(row: number): void {
    const { width, tableau, upper, basic } = this;
    const j = basic[row];
    for (let k = 0; k < width; k++) tableau[row * width + k] *= -1;
    tableau[row * width + j] = 1;
    tableau[row * width + width - 1] += upper[j];
    this.flipped[j] ^= 1;
  }

  private pivot(row: number, j: number): void {
    const { resources, width, tableau, gains, basic } = this;
    const by = tableau[row * width + j];
    for (let k = 0; k < width; k++) tableau[row * width + k] /= by;
    for (let r = 0; r < resources; r++) {
      const times = tableau[r * width + j];
      if (r === row || times === 0) continue;
      for (let k = 0; k < width; k++) tableau[r * width + k] -= times * tableau[row * width + k];
    }
    const gain = gains[j];
    for (let k = 0; k < gains.length; k++) gains[k] -= gain * tableau[row * width + k];
    basic[row] = j;
  }
}
