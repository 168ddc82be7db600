/** What several seeds say about one figure. */
export interface Estimate {
  readonly mean: number;
  /** Sample standard deviation; 0 for a single value. */
  readonly stdDev: number;
  /** Half the width of the 95 % confidence interval of the mean, by Student's t; undefined for a single value. */
  readonly margin?: number;
}

/** Of at least one value. */
export function estimate(values: readonly number[]): Estimate {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  if (n < 2) return { mean, stdDev: 0 };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const stdDev = Math.sqrt(squares / (n - 1));
  return { mean, stdDev, margin: (studentT975(n - 1) * stdDev) / Math.sqrt(n) };
}

/** The 0.975 quantile of Student's t for 1 to 30 degrees of freedom. */
const T_975 = [
  12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139, 2.200985,
  2.178813, 2.160369, 2.144787, 2.13145, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963, 2.079614, 2.073873, 2.068658,
  2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.04523, 2.042272,
];
const Z_975 = 1.959964;

/** Beyond the table by Fisher's expansion around the normal distribution, whose error is below 1e-5 there. */
export function studentT975(degrees: number): number {
  if (degrees <= T_975.length) return T_975[degrees - 1];
  const z = Z_975;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}
