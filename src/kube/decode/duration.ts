import { FieldProblem } from '../field-problem.ts';

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

/** Every NodeClaim of a pool says the same: few texts, each met thousands of times. */
const knownMs = new Map<string, number>();

/** A Go duration such as 1h30m or 1.5s in milliseconds; undefined if it is none. As time.ParseDuration, without its -2^63. */
export function parseDuration(text: string): number | undefined {
  const known = knownMs.get(text);
  if (known !== undefined) return known;
  const ms = parse(text);
  if (ms !== undefined) knownMs.set(text, ms);
  return ms;
}

function parse(text: string): number | undefined {
  const signed = text.startsWith('-') || text.startsWith('+');
  const body = signed ? text.slice(1) : text;
  if (body === '0') return 0;
  let nanos = 0n;
  let at = 0;
  while (at < body.length) {
    PART.lastIndex = at;
    const match = PART.exec(body);
    if (match === null) return undefined;
    const [part, whole, fraction = '', unit] = match;
    if (whole === '' && fraction === '') return undefined;
    // Go multiplies fractions as doubles and cuts off what is left: so do we, to agree to the nanosecond.
    const rest = Math.trunc(Number(fraction) * (UNIT_NANOS[unit] / 10 ** fraction.length));
    nanos += BigInt(whole) * BigInt(UNIT_NANOS[unit]) + BigInt(rest);
    if (nanos > LONGEST_NANOS) return undefined;
    at += part.length;
  }
  if (body === '') return undefined;
  const ms = Number(nanos) / 1e6;
  return text.startsWith('-') && ms !== 0 ? -ms : ms;
}

/** Karpenter's NillableDuration, in milliseconds; undefined for "Never". */
export function durationOrNever(value: unknown, path: string): number | undefined {
  if (value === 'Never') return undefined;
  return duration(value, path, 'a duration such as 30s or 1h30m, or "Never"');
}

export function duration(value: unknown, path: string, wanted = 'a duration such as 30s or 1h30m'): number {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms === undefined || ms < 0) throw new FieldProblem(path, value, wanted);
  return ms;
}
