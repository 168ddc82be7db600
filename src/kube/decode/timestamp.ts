import { FieldProblem } from '../field-problem.ts';

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** An RFC 3339 time in milliseconds since the epoch; undefined if absent. */
export function timestamp(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (ms === undefined) throw new FieldProblem(path, value, 'an RFC 3339 time such as "2026-08-20T12:00:00Z"');
  return ms;
}

export function parseTimestamp(text: string): number | undefined {
  const match = RFC_3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, sign, zoneHour, zoneMinute] = match;
  const whole = utc(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
  if (whole === undefined || Number(zoneHour ?? 0) > 23 || Number(zoneMinute ?? 0) > 59) return undefined;
  const zone = (Number(zoneHour ?? 0) * 60 + Number(zoneMinute ?? 0)) * 60_000;
  return whole + Math.trunc(Number(`0${fraction ?? ''}`) * 1000) + (sign === '-' ? zone : -zone);
}

/** The time in the 22 bytes of `"2026-08-20T12:00:00Z"` at `p`; undefined in any other format. */
export function timestampAt(bytes: Uint8Array, p: number): number | undefined {
  if (bytes[p] !== 0x22 || bytes[p + 5] !== 0x2d || bytes[p + 8] !== 0x2d || bytes[p + 11] !== 0x54) return undefined;
  if (bytes[p + 14] !== 0x3a || bytes[p + 17] !== 0x3a || bytes[p + 20] !== 0x5a || bytes[p + 21] !== 0x22)
    return undefined;
  const year = pair(bytes, p + 1) * 100 + pair(bytes, p + 3);
  return utc(
    year,
    pair(bytes, p + 6),
    pair(bytes, p + 9),
    pair(bytes, p + 12),
    pair(bytes, p + 15),
    pair(bytes, p + 18),
  );
}

/** Two digits as a number; NaN if invalid. */
function pair(bytes: Uint8Array, p: number): number {
  const tens = bytes[p] - 0x30;
  const ones = bytes[p + 1] - 0x30;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const EPOCH_DAYS = 719_468;

/**
 * undefined unless every part is in its range: 29 February must not become 1 March. Days are counted from 1 March of
 * the year 0, so that leap days come last; Date.UTC takes ten times as long.
 */
function utc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (!(day <= DAYS_IN_MONTH[month - 1]) || (month === 2 && day === 29 && !leap)) return undefined;
  const y = month > 2 ? year : year - 1;
  const monthsSinceMarch = (month + 9) % 12;
  const leapDays = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  const days = y * 365 + leapDays + Math.floor((153 * monthsSinceMarch + 2) / 5) + day - 1 - EPOCH_DAYS;
  return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1000;
}
