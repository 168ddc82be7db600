/** Ratio of neighbouring bin bounds: quantiles are exact to within 2 %. */
const GROWTH = 1.02;
const LOG_GROWTH = Math.log(GROWTH);

/** Distribution of durations in bounded memory. Bin 0 holds values below 1. */
export class Histogram {
  private readonly bins: number[] = [];
  count = 0;

  add(value: number): void {
    const bin = value < 1 ? 0 : 1 + Math.floor(Math.log(value) / LOG_GROWTH);
    while (this.bins.length <= bin) this.bins.push(0);
    this.bins[bin]++;
    this.count++;
  }

  /** The value that this share of all values does not exceed; 0 without values. */
  quantile(share: number): number {
    let left = Math.ceil(share * this.count);
    if (left === 0) return 0;
    for (let bin = 0; bin < this.bins.length; bin++) {
      left -= this.bins[bin];
      if (left <= 0) return bin === 0 ? 0 : Math.exp((bin - 0.5) * LOG_GROWTH);
    }
    return 0;
  }
}
