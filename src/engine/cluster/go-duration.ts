const UNIT_NANOS: Readonly<Record<string, number>> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 6e10,
  h: 3.6e12,
};
const PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y;
const LONGEST_NANOS = 2n ** 63n - 1n;
/** Go counts a fraction in 64 bits and ignores further digits. */
const MOST_DIGITS = 18;

/**
 * Milliseconds of a Go duration ("1h30m", "-1.5s", "0"); undefined if invalid ("1d", "5", ""). As time.ParseDuration,
 * without its -2^63.
 */
export function parseGoDuration(text: string): number | undefined {
  const signed = text.startsWith('-') || text.startsWith('+');
  const body = signed ? text.slice(1) : text;
  if (body === '0') return 0;
  let nanos = 0n;
  let at = 0;
  while (at < body.length) {
    PART.lastIndex = at;
    const match = PART.exec(body);
    if (match === null) return undefined;
    const [part, whole, digits = '', unit] = match;
    if (whole === '' && digits === '') return undefined;
    const fraction = digits.slice(0, MOST_DIGITS);
    // Go multiplies fractions as doubles and truncates; the same here, to agree to the nanosecond.
    const rest = Math.trunc(Number(fraction) * (UNIT_NANOS[unit] / 10 ** fraction.length));
    nanos += BigInt(whole) * BigInt(UNIT_NANOS[unit]) + BigInt(rest);
    if (nanos > LONGEST_NANOS) return undefined;
    at += part.length;
  }
  if (body === '') return undefined;
  const ms = Number(nanos) / 1e6;
  return text.startsWith('-') && ms !== 0 ? -ms : ms;
}
