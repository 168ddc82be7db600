import { parseGoDuration } from '../engine/cluster/go-duration.ts';

/** Go counts nanoseconds in 63 bits; Karpenter refuses longer durations, 292 years. */
const LONGEST_MS = 2 ** 63 / 1e6;

export function isShortEnough(text: string): boolean {
  return durationMs(text) < LONGEST_MS;
}

/** For a text that matches one of the duration patterns. */
export function durationMs(text: string): number {
  return parseGoDuration(text) ?? Number.POSITIVE_INFINITY;
}

/** undefined for Never. */
export function durationOrNeverMs(text: string): number | undefined {
  return text === 'Never' ? undefined : durationMs(text);
}
