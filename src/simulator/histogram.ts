/** Bounds of the bins grow by this factor: a quantile is right to within 2 %. */
const GROWTH = 1.02;
const LOG_GROWTH = Math.log(GROWTH);

/** How long things took, in memory that does not grow with their number. Bin 0 holds what took less than 1. */
export class Histogram {
  private readonly bins: number[] = [];
  count = 0;

  add(value: number): void {
    const bin = value < 1 ? 0 : 1 + Math.floor(Math.log(value) / LOG_GROWTH);
    while (this.bins.length <= bin) this.bins.push(0);
    this.bins[bin]++;
    this.count++;
  }

  /** The value that this share of all values does not exceed; 0 if there are none. */
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
