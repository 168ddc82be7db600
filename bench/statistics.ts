/** A benchmark's samples in a few numbers. Medians, because a busy machine only ever makes a run slower. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Median of the absolute deviations from the median: a spread that one bad run does not move. */
  readonly mad: number;
}

export function summarize(samples: readonly number[]): Summary {
  const middle = median(samples);
  return {
    median: middle,
    min: Math.min(...samples),
    max: Math.max(...samples),
    mad: median(samples.map((x) => Math.abs(x - middle))),
  };
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = sorted.length >>> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** e in t ∝ n^e, from two sizes. */
export function growthExponent(smaller: { n: number; t: number }, larger: { n: number; t: number }): number {
  return Math.log(larger.t / smaller.t) / Math.log(larger.n / smaller.n);
}
