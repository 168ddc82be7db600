/** A point of the search, in the syntax of the grid flags. */
export interface TunedSetting {
  readonly threshold: string;
  readonly grace: string;
  readonly utilization: string;
}

/** Strictest first: of equal settings, the strictest is the safest. */
const FIRST_THRESHOLDS = ['5', '2', '1', '0.5', '0'];
const GRACES = ['0', '15m', '1h', '4h'];
const UTILIZATIONS = ['0.5', '0.65', '0.75', '0.85', '1'];
/** Smallest steps of thresholds: relative, and in cents. */
const FINE_SHARE = 0.2;
const FINE_CENTS = 0.1;

export const START: readonly TunedSetting[] = FIRST_THRESHOLDS.map((threshold) => ({
  threshold,
  grace: '0',
  utilization: '1',
}));

/**
 * Settings to try next: those adjacent to the best one on each axis, and thresholds half way to them. Empty if the
 * search has converged.
 */
export function nextSettings(tried: readonly TunedSetting[], best: TunedSetting): readonly TunedSetting[] {
  const near = [
    ...between(tried, best).map((threshold) => ({ ...best, threshold })),
    ...steps(GRACES, best.grace).map((grace) => ({ ...best, grace })),
    ...steps(UTILIZATIONS, best.utilization).map((utilization) => ({ ...best, utilization })),
  ];
  const known = new Set(tried.map(settingName));
  return near.filter((setting) => !known.has(settingName(setting)));
}

/**
 * How many more settings than those tried the search is expected to try, of at most `most` altogether: as if `best` were as
 * likely to stay the best as one of `batch`, the settings under way, to become it.
 */
export function settingsToCome(
  tried: readonly TunedSetting[],
  best: TunedSetting,
  batch: readonly TunedSetting[],
  most: number,
): number {
  const others = batch.reduce((sum, each) => sum + ifItStays(tried, each, most), 0) / batch.length;
  return Math.round((ifItStays(tried, best, most) + others) / 2);
}

function ifItStays(tried: readonly TunedSetting[], best: TunedSetting, most: number): number {
  const all = [...tried];
  for (let next = nextSettings(all, best); next.length > 0 && all.length < most; next = nextSettings(all, best))
    all.push(...next);
  return Math.min(all.length, most) - tried.length;
}

export function settingName({ threshold, grace, utilization }: TunedSetting): string {
  return `threshold=${threshold} grace=${grace} utilization=${utilization}`;
}

function steps(ladder: readonly string[], at: string): readonly string[] {
  const i = ladder.indexOf(at);
  return [i - 1, i + 1].flatMap((j) => ladder[j] ?? []);
}

/** Half way to the nearest tried thresholds below and above; twice the largest one. */
function between(tried: readonly TunedSetting[], best: TunedSetting): readonly string[] {
  const at = Number(best.threshold);
  const all = tried.map(({ threshold }) => Number(threshold));
  const below = Math.max(...all.filter((t) => t < at));
  const above = Math.min(...all.filter((t) => t > at));
  const candidates = [
    ...(Number.isFinite(below) ? [(below + at) / 2] : []),
    ...(Number.isFinite(above) ? [(above + at) / 2] : [2 * at]),
  ];
  return candidates
    .map((t) => Number(t.toPrecision(2)))
    .filter((t) => Math.abs(t - at) >= Math.max(FINE_CENTS, FINE_SHARE * Math.max(t, at) * 0.5))
    .map(String);
}
