import { InvalidArgumentError } from 'commander';
import { parseGoDuration } from '../../engine/cluster/go-duration.ts';

/** Parsers of flag values. The error says only what is allowed: the program adds the flag and the value. */

export function wholeNumberFlag(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`a whole number from ${least} to ${most}`);
  };
}

export const port = wholeNumberFlag(0, 65_535);
export const seed = wholeNumberFlag(0, 999_999_999);

const DECIMAL = /^([0-9]{1,9}(\.[0-9]{0,9})?|\.[0-9]{1,9})$/;

export function decimalFlag(allowed: string, isAllowed: (value: number) => boolean): (text: string) => number {
  return (text) => {
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (isAllowed(value)) return value;
    throw new InvalidArgumentError(allowed);
  };
}

const MOST_DAYS = 3650;

/** Virtual days of a simulation. */
export const days = decimalFlag(`a number above 0, up to ${MOST_DAYS}`, (value) => value > 0 && value <= MOST_DAYS);

/** A percentage such as 30% as a share. `needsSign`: a number without % could be meant as a share. */
export function percentage(
  allowed: string,
  isAllowed: (percent: number) => boolean,
  { needsSign = false } = {},
): (text: string) => number {
  return (text) => {
    const [, digits, sign] = /^(-?[0-9]{1,4}(?:\.[0-9]{1,9})?)\s*(%?)$/.exec(text) ?? [];
    const percent = digits === undefined || (needsSign && sign === '') ? Number.NaN : Number(digits);
    if (isAllowed(percent)) return percent / 100;
    throw new InvalidArgumentError(allowed);
  };
}

interface DurationBounds {
  readonly least: string;
  readonly most: string;
  readonly example: string;
}

const DAY_MS = 24 * 3_600_000;

/** Milliseconds of a Go duration that may begin with whole days ("14d", "1d12h"), both bounds allowed. */
export function durationFlag({ least, most, example }: DurationBounds): (text: string) => number {
  const [leastMs, mostMs] = [least, most].map(withDays);
  return (text) => {
    const ms = withDays(text);
    if (ms >= leastMs && ms <= mostMs) return ms;
    throw new InvalidArgumentError(`a duration from ${least} to ${most}, such as ${example}`);
  };
}

function withDays(text: string): number {
  const [, days = '0', rest] = /^(?:([0-9]{1,6})d)?(.*)$/.exec(text) ?? [];
  const isWhole = rest === '' && text !== '';
  return Number(days) * DAY_MS + (isWhole ? 0 : (parseGoDuration(rest) ?? Number.NaN));
}
