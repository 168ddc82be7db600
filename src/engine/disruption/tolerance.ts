/** Absolute tolerance for float noise in money, shares and percentages. */
const NOISE = 1e-7;

export function isAtLeast(value: number, limit: number): boolean {
  return value >= limit - NOISE;
}

export function isAtMost(value: number, limit: number): boolean {
  return value <= limit + NOISE;
}
