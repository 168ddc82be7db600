/**
 * Square-root scales on both axes: costs and savings of nodes differ by orders of magnitude, the small ones matter
 * most, and a line through the origin stays straight.
 */
export interface Axis {
  readonly most: number;
  at(value: number): number;
  /** The value at a pixel. */
  of(pixel: number): number;
  readonly ticks: readonly { readonly value: number; readonly at: number }[];
}

export function squareRootAxis(values: readonly number[], from: number, to: number): Axis {
  const most = 1.06 * Math.max(1e-3, ...values.filter(Number.isFinite));
  const at = (value: number) => from + (to - from) * Math.sqrt(Math.max(0, value) / most);
  const of = (pixel: number) => {
    const share = Math.min(1, Math.max(0, (pixel - from) / (to - from)));
    return most * share * share;
  };
  return { most, at, of, ticks: tickValues(most).map((value) => ({ value, at: at(value) })) };
}

/** Readable numbers, about evenly spaced on the square-root scale. */
function tickValues(most: number): readonly number[] {
  const ticks = [0];
  for (const share of [0.04, 0.16, 0.36, 0.64, 1]) {
    const value = readable(share * most);
    if (value > ticks[ticks.length - 1] && value <= most) ticks.push(value);
  }
  return ticks;
}

/** The largest of 1, 2, 5 times a power of ten that is no larger. */
function readable(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [5, 2, 1].find((each) => each * power <= value * (1 + 1e-9)) ?? 1;
  return Number((digit * power).toPrecision(1));
}
