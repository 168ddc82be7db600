import { offsetPeriods } from './time-zone.ts';

/**
 * Cron schedules of budgets, parsed exactly like Karpenter (robfig/cron, five fields or a macro). The available library
 * accepts what Karpenter refuses (weekday 7, L, #, W) and refuses what it accepts (5/15), on 6 of 43 specifications
 * tried.
 */
export interface CronSchedule {
  /** Bit i is set if value i matches. */
  readonly minutes: bigint;
  readonly hours: bigint;
  readonly days: bigint;
  readonly months: bigint;
  readonly weekdays: bigint;
  /** With a star in either day field both must match; otherwise one suffices. */
  readonly anyDay: boolean;
}

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** undefined if invalid. */
export function parseCron(text: string): CronSchedule | undefined {
  const fields = (MACROS[text.trim()] ?? text).trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const minutes = parseField(fields[0], 0, 59, []);
  const hours = parseField(fields[1], 0, 23, []);
  const days = parseField(fields[2], 1, 31, []);
  const months = parseField(fields[3], 1, 12, MONTHS);
  const weekdays = parseField(fields[4], 0, 6, WEEKDAYS);
  if (
    minutes === undefined ||
    hours === undefined ||
    days === undefined ||
    months === undefined ||
    weekdays === undefined
  )
    return undefined;
  return { minutes, hours, days, months, weekdays, anyDay: startsWithStar(fields[2]) || startsWithStar(fields[4]) };
}

/** Every part of the list counts: "1,*" has a star. A star with a step does not, unless the step is 1. */
function startsWithStar(field: string): boolean {
  return field.split(',').some((part) => /^[*?](-[^/]*)?(\/\+?0*1)?$/.test(part));
}

function parseField(field: string, low: number, high: number, names: readonly string[]): bigint | undefined {
  let bits = 0n;
  // As in robfig/cron, empty parts are skipped, and anything between a star and the step is ignored.
  const parts = field.split(',').filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  for (const part of parts) {
    const match = /^(\*|\?|\+?[a-z0-9]+)(?:-(\+?[a-z0-9]+))?(?:\/(\+?[0-9]+))?$/i.exec(part);
    if (match === null) return undefined;
    const [, first, last, every] = match;
    const star = first === '*' || first === '?';
    const from = star ? low : number(first, names, low);
    let to = star ? high : last === undefined ? from : number(last, names, low);
    const step = every === undefined ? 1 : Number(every);
    // "5/15" means from 5 to the end, every 15.
    if (every !== undefined && last === undefined) to = high;
    if (from === undefined || to === undefined || step === 0 || from < low || to > high || from > to) return undefined;
    for (let v = from; v <= to; v += step) bits |= 1n << BigInt(v);
  }
  return bits;
}

function number(text: string, names: readonly string[], low: number): number | undefined {
  const name = names.indexOf(text.toLowerCase());
  if (name >= 0) return name + (names === MONTHS ? low : 0);
  return /^\+?[0-9]+$/.test(text) ? Number(text) : undefined;
}

const MINUTE = 60_000;
const DAY = 86_400_000;
const MONTH = 30 * DAY;
/** The longest interval between hits: 29 February, across a century without a leap day. */
const LONGEST_INTERVAL = (8 * 366 + 1) * DAY;

/**
 * Whether a window is open that begins at each hit of the schedule and lasts this long. It includes the minute of the
 * hit and excludes its end. Without a time zone the schedule is in UTC, as in Karpenter.
 *
 * In a time zone the duration is elapsed time. A local time that occurs twice hits twice. One that is skipped hits when
 * the clocks go forward: a window that protects nodes must not vanish for a night.
 */
export function isWindowOpen(schedule: CronSchedule, durationMs: number, nowMs: number, timeZone = 'UTC'): boolean {
  const afterMs = nowMs - Math.min(durationMs, LONGEST_INTERVAL);
  if (timeZone === 'UTC') return hitsWithin(schedule, afterMs, nowMs);
  const periods = offsetPeriods(timeZone, afterMs, nowMs);
  return periods.some(({ fromMs, toMs, offsetMs }, i) => {
    if (hitsWithin(schedule, fromMs + offsetMs, toMs + offsetMs)) return true;
    const before = periods[i - 1];
    return before !== undefined && hitsWithin(schedule, before.toMs + before.offsetMs, fromMs + offsetMs);
  });
}

/** The first hit after this time; undefined if there is none within eight years. A skipped local time does not hit. */
export function nextHitMs(schedule: CronSchedule, afterMs: number, timeZone = 'UTC'): number | undefined {
  for (let fromMs = afterMs; fromMs < afterMs + LONGEST_INTERVAL; fromMs += MONTH) {
    for (const { fromMs: start, toMs, offsetMs } of offsetPeriods(timeZone, fromMs, fromMs + MONTH)) {
      const localMs = firstHitWithin(schedule, start + offsetMs, toMs + offsetMs);
      if (localMs !== undefined) return localMs - offsetMs;
    }
  }
  return undefined;
}

function firstHitWithin(schedule: CronSchedule, afterMs: number, untilMs: number): number | undefined {
  for (let day = Math.floor(afterMs / DAY) * DAY; day <= untilMs; day += DAY) {
    if (!matchesDay(schedule, day)) continue;
    for (let hour = 0; hour < 24; hour++) {
      if (!has(schedule.hours, hour)) continue;
      for (let minute = 0; minute < 60; minute++) {
        const t = day + (60 * hour + minute) * MINUTE;
        if (t > afterMs && t <= untilMs && has(schedule.minutes, minute)) return t;
      }
    }
  }
  return undefined;
}

/** Whether the schedule hits in (after, until], in milliseconds of its own clock. */
function hitsWithin(schedule: CronSchedule, afterMs: number, untilMs: number): boolean {
  for (let day = Math.floor(untilMs / DAY) * DAY; day + DAY > afterMs; day -= DAY) {
    if (!matchesDay(schedule, day)) continue;
    const last = Math.min(Math.floor(untilMs / MINUTE) * MINUTE, day + DAY - MINUTE);
    for (let t = last; t >= day && t > afterMs; t -= MINUTE) {
      const minuteOfDay = (t - day) / MINUTE;
      if (has(schedule.hours, Math.floor(minuteOfDay / 60)) && has(schedule.minutes, minuteOfDay % 60)) return true;
    }
  }
  return false;
}

function matchesDay(schedule: CronSchedule, dayMs: number): boolean {
  const date = new Date(dayMs);
  if (!has(schedule.months, date.getUTCMonth() + 1)) return false;
  const day = has(schedule.days, date.getUTCDate());
  const weekday = has(schedule.weekdays, date.getUTCDay());
  return schedule.anyDay ? day && weekday : day || weekday;
}

function has(bits: bigint, value: number): boolean {
  return (bits & (1n << BigInt(value))) !== 0n;
}
