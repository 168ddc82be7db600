import type { CentsRange } from './controller-settings.ts';
import { durationMs, isShortEnough } from './duration.ts';

/** How a setting is written on the command line and in the environment. */
export interface SettingType<T> {
  readonly allowed: string;
  /** undefined if the text is not allowed. */
  read(text: string): T | undefined;
  show(value: T): string;
}

const DECIMAL = /^([0-9]+\.?[0-9]*|\.[0-9]+)$/;
const DURATION = /^([0-9]+(s|m|h))+$/;
/** Longest accepted number, in characters. */
const LONGEST = 20;

export function numberSetting(least: number, most = Number.POSITIVE_INFINITY): SettingType<number> {
  return {
    allowed: most === Number.POSITIVE_INFINITY ? `a number of at least ${least}` : `a number from ${least} to ${most}`,
    read: (text) => within(DECIMAL.test(text) && text.length <= LONGEST ? Number(text) : Number.NaN, least, most),
    show: String,
  };
}

export function integerSetting(least: number): SettingType<number> {
  return {
    allowed: `a whole number of at least ${least}`,
    read: (text) => within(/^[0-9]+$/.test(text) ? Number(text) : Number.NaN, least, Number.MAX_SAFE_INTEGER),
    show: String,
  };
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}

/** In milliseconds. */
export const durationSetting: SettingType<number> = {
  allowed: 'a duration in h, m and s such as 30s or 1h30m; 0s is none',
  read: (text) => (DURATION.test(text) && isShortEnough(text) ? durationMs(text) : undefined),
  show: (ms) =>
    ms > 0 && ms % 3_600_000 === 0
      ? `${ms / 3_600_000}h`
      : ms > 0 && ms % 60_000 === 0
        ? `${ms / 60_000}m`
        : `${ms / 1000}s`,
};

/** `durationSetting` or Never, for undefined. */
export function durationOrNever(ms: number | undefined): string {
  return ms === undefined ? 'Never' : durationSetting.show(ms);
}

/** As `durationSetting`, above 0. */
export const positiveDuration: SettingType<number> = {
  ...durationSetting,
  allowed: 'a duration in h, m and s such as 30m or 1h30m, above 0s',
  read: (text) => durationSetting.read(text) || undefined,
};

const RANGE = /^([0-9]+(?:\.[0-9]+)?)\.\.([0-9]+(?:\.[0-9]+)?)$/;

export const centsRange: SettingType<CentsRange | 'off'> = {
  allowed: 'two numbers of cents, the first at most as large as the second, such as 0.1..5; or off',
  read(text) {
    if (text === 'off') return 'off';
    const [, least, most] = (text.length <= 2 * LONGEST && RANGE.exec(text)) || [];
    const range = { leastCents: Number(least), mostCents: Number(most) };
    return range.leastCents <= range.mostCents ? range : undefined;
  },
  show: (range) => (range === 'off' ? 'off' : `${range.leastCents}..${range.mostCents}`),
};

export const trueOrFalse: SettingType<boolean> = {
  allowed: 'true or false',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  show: String,
};
