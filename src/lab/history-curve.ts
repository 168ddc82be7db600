import { isEnough } from '../engine/gates/savings-threshold.ts';
import type { Wish } from './tune-wish.ts';

/** A move that was made, as a threshold sees it. */
export interface PastMove {
  readonly atMs: number;
  readonly savingsCentsPerHour: number;
  readonly disruptionCost: number;
  readonly evictions: number;
}

/** What would have been left of the past with a threshold. */
export interface HistoryPoint {
  readonly thresholdCents: number;
  readonly moves: number;
  readonly evictions: number;
  readonly evictionsPerDay: number;
  /** undefined: nobody said how many pods there are. */
  readonly evictionsPerPodDay?: number;
  /** Share of the savings, in cents per hour when the moves were made. */
  readonly kept: number;
}

export interface HistoryCurve {
  readonly days: number;
  /** By rising threshold; the first is 0: everything that was done. */
  readonly points: readonly HistoryPoint[];
  readonly recommended: HistoryPoint;
  readonly granted: boolean;
}

const DAY_MS = 86_400_000;
const LADDER = [0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

/**
 * The question of the savings-threshold document ("examine their consolidation events, estimate what threshold would have
 * blocked the problematic ones"). A move that is refused may make room for another one, which the past cannot tell: the
 * curve is of the moves that were made, and evictions are those at most. `moves`: at least one.
 */
export function historyCurve(moves: readonly PastMove[], wish: Wish, pods: number | undefined): HistoryCurve {
  const times = moves.map(({ atMs }) => atMs);
  // Less than a day says nothing about a day.
  const days = Math.max(1, (Math.max(...times) - Math.min(...times)) / DAY_MS);
  const saved = sum(moves, (m) => m.savingsCentsPerHour);
  const points = LADDER.map((thresholdCents): HistoryPoint => {
    const left = moves.filter((m) => isEnough(m.savingsCentsPerHour, thresholdCents * m.disruptionCost));
    const evictions = sum(left, (m) => m.evictions);
    return {
      thresholdCents,
      moves: left.length,
      evictions,
      evictionsPerDay: evictions / days,
      ...(pods === undefined ? {} : { evictionsPerPodDay: evictions / days / pods }),
      kept: saved > 0 ? sum(left, (m) => m.savingsCentsPerHour) / saved : 1,
    };
  });
  const granted = points.filter((point) => isGranted(wish, point));
  // Few evictions are wished for: as little threshold as that takes. Savings are: as much as they allow.
  const first = wish.maxEvictionsPerPodDay !== undefined;
  const nearest = first ? points.at(-1) : points[0];
  return {
    days,
    points,
    recommended: (first ? granted[0] : granted.at(-1)) ?? nearest ?? points[0],
    granted: granted.length > 0,
  };
}

function isGranted(
  { maxEvictionsPerPodDay = Infinity, keepSavings = 0 }: Wish,
  { evictionsPerPodDay = 0, kept }: HistoryPoint,
): boolean {
  return evictionsPerPodDay <= maxEvictionsPerPodDay && kept >= keepSavings;
}

function sum(moves: readonly PastMove[], figure: (move: PastMove) => number): number {
  return moves.reduce((total, move) => total + figure(move), 0);
}
