/**
 * A savings threshold that adapts (savings-threshold document, "Future Work": too much churn = increase threshold;
 * costs stagnant = decrease). As in TCP, it rises at once and by a factor, and falls in small steps: a threshold that
 * is too low moves pods for nothing, one that is too high only delays savings.
 */
export interface AdaptiveSettings {
  readonly leastCents: number;
  readonly mostCents: number;
  /** Acceptable evictions per pod and day. */
  readonly targetPerPodDay: number;
  /** Churn raises the threshold by this factor. */
  readonly factor: number;
  /** Stagnation lowers it by this many cents. */
  readonly stepCents: number;
  /** Window for counting evictions, and time before a level is lowered. */
  readonly windowMs: number;
}

/** The threshold of one pool, and why. */
export interface AdaptiveLevel {
  readonly cents: number;
  readonly why: AdaptiveReason;
  /** When it was last raised, lowered or confirmed. */
  readonly sinceMs: number;
  /** Cost of the pool then; unknown at first. */
  readonly centsPerHour?: number;
  /** Evictions per pod and day then; unknown at first. */
  readonly perPodDay?: number;
}

export type AdaptiveReason =
  /** Initial value. */
  | 'start'
  /** From the last command in the journal, after a restart. */
  | 'journal'
  | 'churn'
  /** Few evictions, the threshold blocks moves, and the cost did not fall. */
  | 'stagnation'
  /** Neither. */
  | 'steady';

/** What was observed in a pool. */
export interface PoolObservation {
  readonly nowMs: number;
  readonly pods: number;
  /** Pods evicted since then, within the window. */
  evictedSince(sinceMs: number): number;
  /** Nodes that the threshold blocked in the last pass. */
  readonly blocked: number;
  readonly centsPerHour: number;
}

const DAY_MS = 86_400_000;
/** Smaller relative falls of the cost do not count: pods come and go. */
const NOTICEABLE = 0.01;
/** Below this share of the target, more evictions are acceptable. */
const CALM_SHARE = 0.5;

export function clamped(cents: number, { leastCents, mostCents }: AdaptiveSettings): number {
  return Math.min(mostCents, Math.max(leastCents, cents));
}

/** The level after the observation; the same object if it is too early to tell. */
export function adapted(level: AdaptiveLevel, seen: PoolObservation, settings: AdaptiveSettings): AdaptiveLevel {
  const { nowMs, centsPerHour } = seen;
  const { windowMs, targetPerPodDay, factor, stepCents } = settings;
  // Evictions before the last step are already accounted for.
  const sinceMs = Math.max(level.sinceMs, nowMs - windowMs);
  const perPodDay = (seen.evictedSince(sinceMs) / Math.max(1, seen.pods)) * (DAY_MS / windowMs);
  const next = { sinceMs: nowMs, centsPerHour, perPodDay };
  if (level.sinceMs > nowMs) return { ...level, sinceMs: nowMs };
  if (perPodDay > targetPerPodDay) {
    return { ...next, why: 'churn', cents: clamped(Math.max(level.cents, stepCents) * factor, settings) };
  }
  if (nowMs - level.sinceMs < windowMs) return level;
  const stagnant = seen.blocked > 0 && centsPerHour >= (level.centsPerHour ?? Infinity) * (1 - NOTICEABLE);
  return stagnant && perPodDay <= CALM_SHARE * targetPerPodDay
    ? { ...next, why: 'stagnation', cents: clamped(level.cents - stepCents, settings) }
    : { ...next, why: 'steady', cents: level.cents };
}
