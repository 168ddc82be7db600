/** A period, from exclusive to inclusive, with a constant offset from UTC. */
export interface OffsetPeriod {
  readonly fromMs: number;
  readonly toMs: number;
  /** Local time minus UTC. */
  readonly offsetMs: number;
}

/** Every change of an offset since 1970 was at a multiple of this. */
const SLOT = 900_000;

/** Name of a time zone in the IANA database, such as "Europe/Berlin". Offsets such as "+02:00" are not names. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && formatOf(name) !== undefined;
}

/** The periods that overlap (after, until], oldest first. Whole milliseconds. */
export function offsetPeriods(timeZone: string, afterMs: number, untilMs: number): readonly OffsetPeriod[] {
  const periods: OffsetPeriod[] = [];
  let fromMs = afterMs;
  while (fromMs < untilMs) {
    const offsetMs = offsetAt(timeZone, fromMs + 1);
    const changeMs = nextChange(timeZone, fromMs + 1, untilMs, offsetMs);
    const toMs = changeMs === undefined ? untilMs : changeMs - 1;
    periods.push({ fromMs, toMs, offsetMs });
    fromMs = toMs;
  }
  return periods;
}

/** No zone of this century changes its offset twice within a day. */
const STRIDE = 86_400_000;

/** The first moment in (from, until] with another offset. */
function nextChange(timeZone: string, fromMs: number, untilMs: number, offsetMs: number): number | undefined {
  for (let t = fromMs; t < untilMs; t += STRIDE) {
    const next = Math.min(t + STRIDE, untilMs);
    if (offsetAt(timeZone, next) === offsetMs) continue;
    let same = Math.floor(t / SLOT);
    let changed = Math.floor(next / SLOT);
    while (changed - same > 1) {
      const middle = Math.floor((same + changed) / 2);
      if (offsetAt(timeZone, middle * SLOT) === offsetMs) same = middle;
      else changed = middle;
    }
    return changed * SLOT;
  }
  return undefined;
}

function offsetAt(timeZone: string, ms: number): number {
  const format = formatOf(timeZone);
  if (format === undefined) return 0;
  const part = new Map<string, number>();
  for (const { type, value } of format.formatToParts(ms)) part.set(type, Number(value));
  const at = (type: string) => part.get(type) as number;
  const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  return local - Math.floor(ms / 1000) * 1000;
}

/** Creating a format takes longer than using it a thousand times. */
const formats = new Map<string, Intl.DateTimeFormat | undefined>();

function formatOf(timeZone: string): Intl.DateTimeFormat | undefined {
  if (!formats.has(timeZone)) formats.set(timeZone, makeFormat(timeZone));
  return formats.get(timeZone);
}

function makeFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
}
