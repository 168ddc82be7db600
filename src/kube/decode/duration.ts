import { parseGoDuration } from '../../engine/cluster/go-duration.ts';
import { FieldProblem } from '../field-problem.ts';

/** NodeClaims of a pool share their durations: few texts, each decoded thousands of times. */
const knownMs = new Map<string, number>();
const MOST_REMEMBERED = 10_000;

/** A Go duration in milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  const known = knownMs.get(text);
  if (known !== undefined) return known;
  const ms = parseGoDuration(text);
  if (knownMs.size === MOST_REMEMBERED) knownMs.clear();
  if (ms !== undefined) knownMs.set(text, ms);
  return ms;
}

/** Karpenter's NillableDuration, in milliseconds; undefined for "Never". */
export function decodeDurationOrNever(value: unknown, path: string): number | undefined {
  if (value === 'Never') return undefined;
  return decodeDuration(value, path, 'a duration such as 30s or 1h30m, or "Never"');
}

export function decodeDuration(value: unknown, path: string, wanted = 'a duration such as 30s or 1h30m'): number {
  const ms = typeof value === 'string' ? parseDuration(value) : undefined;
  if (ms === undefined || ms < 0) throw new FieldProblem(path, value, wanted);
  return ms;
}
