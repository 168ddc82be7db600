import { parseGoDuration } from '../engine/cluster/go-duration.ts';

/** Go counts nanoseconds in 63 bits; Karpenter refuses what does not fit, 292 years. */
const LONGEST_MS = 2 ** 63 / 1e6;

export function isShortEnough(text: string): boolean {
  return durationMs(text) < LONGEST_MS;
}

/** Of a text that matched one of the patterns for durations. */
export function durationMs(text: string): number {
  return parseGoDuration(text) ?? Number.POSITIVE_INFINITY;
}

/** Of a text that may say Never, for which it is undefined. */
export function durationOrNeverMs(text: string): number | undefined {
  return text === 'Never' ? undefined : durationMs(text);
}
