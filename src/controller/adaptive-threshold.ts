/**
 * A savings threshold that finds its own level (savings-threshold document, "Future Work": too much churn = increase
 * threshold; costs stagnant = decrease). As in TCP, what hurts is answered at once and by a factor, what might be gained
 * is tried for in small steps: a threshold that is too low moves pods for nothing, one that is too high only waits.
 */
export interface AdaptiveSettings {
  readonly leastCents: number;
  readonly mostCents: number;
  /** Evictions per pod and day that are still calm. */
  readonly targetPerPodDay: number;
  /** Churn raises the threshold by this factor. */
  readonly factor: number;
  /** Stagnation lowers it by so many cents. */
  readonly stepCents: number;
  /** Over which evictions are counted, and how long a level is tried before it is lowered. */
  readonly windowMs: number;
}

/** The level of one pool, and how it came about. */
export interface AdaptiveLevel {
  readonly cents: number;
  readonly why: AdaptiveReason;
  /** When it was last raised, lowered or found right. */
  readonly sinceMs: number;
  /** What the pool cost then; not known at first. */
  readonly centsPerHour?: number;
  /** Evictions per pod and day that were seen then; at first none. */
  readonly perPodDay?: number;
}

export type AdaptiveReason =
  /** Nothing is known yet. */
  | 'start'
  /** Taken over from the last command of the journal, after a restart. */
  | 'journal'
  | 'churn'
  /** Calm, the threshold keeps nodes, and the pool became no cheaper. */
  | 'stagnation'
  /** Neither. */
  | 'steady';

/** What has happened in a pool. */
export interface PoolObservation {
  readonly nowMs: number;
  readonly pods: number;
  /** Pods evicted since a moment, at most a window ago. */
  evictedSince(sinceMs: number): number;
  /** Nodes that the threshold kept in the last pass. */
  readonly blocked: number;
  readonly centsPerHour: number;
}

const DAY_MS = 86_400_000;
/** A cost that fell by less has not fallen: pods come and go. */
const NOTICEABLE = 0.01;
/** Below this share of the target there is room for more. */
const ROOM = 0.5;

export function within(cents: number, { leastCents, mostCents }: AdaptiveSettings): number {
  return Math.min(mostCents, Math.max(leastCents, cents));
}

/** The level after what was observed; the same object if nothing is to be said yet. */
export function adapted(level: AdaptiveLevel, seen: PoolObservation, settings: AdaptiveSettings): AdaptiveLevel {
  const { nowMs, centsPerHour } = seen;
  const { windowMs, targetPerPodDay, factor, stepCents } = settings;
  // What was evicted before the last step has been answered by it.
  const sinceMs = Math.max(level.sinceMs, nowMs - windowMs);
  const perPodDay = (seen.evictedSince(sinceMs) / Math.max(1, seen.pods)) * (DAY_MS / windowMs);
  const next = { sinceMs: nowMs, centsPerHour, perPodDay };
  if (level.sinceMs > nowMs) return { ...level, sinceMs: nowMs };
  if (perPodDay > targetPerPodDay) {
    return { ...next, why: 'churn', cents: within(Math.max(level.cents, stepCents) * factor, settings) };
  }
  if (nowMs - level.sinceMs < windowMs) return level;
  const stagnant = seen.blocked > 0 && centsPerHour >= (level.centsPerHour ?? Infinity) * (1 - NOTICEABLE);
  return stagnant && perPodDay <= ROOM * targetPerPodDay
    ? { ...next, why: 'stagnation', cents: within(level.cents - stepCents, settings) }
    : { ...next, why: 'steady', cents: level.cents };
}
