const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

/** Go counts nanoseconds in 64 bits. */
const LONGEST_MS = (2 ** 63 - 1) / 1e6;

/** Milliseconds of a Go duration ("1h30m", "-1.5s", "0"); undefined if it is none ("1d", "5", ""). */
export function parseGoDuration(text: string): number | undefined {
  const match = /^([+-]?)(.+)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, rest] = match;
  if (rest === '0') return 0;
  let total = 0;
  let end = 0;
  for (const part of rest.matchAll(/([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    if (part.index !== end) return undefined;
    total += Number(part[1]) * UNIT_MS[part[2]];
    end += part[0].length;
  }
  if (end === 0 || end !== rest.length || total > LONGEST_MS) return undefined;
  return sign === '-' ? -total : total;
}
