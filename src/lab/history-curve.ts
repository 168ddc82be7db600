import { isEnough } from '../engine/gates/savings-threshold.ts';
import type { TuningGoal } from './tuning-goal.ts';

/** An executed move. */
export interface PastMove {
  readonly atMs: number;
  readonly savingsCentsPerHour: number;
  readonly disruptionCost: number;
  readonly evictions: number;
}

/** The moves that pass a threshold. */
export interface HistoryPoint {
  readonly thresholdCents: number;
  readonly moves: number;
  readonly evictions: number;
  readonly evictionsPerDay: number;
  /** undefined if the number of pods is unknown. */
  readonly evictionsPerPodDay?: number;
  /** Share of the predicted savings. */
  readonly kept: number;
}

export interface HistoryCurve {
  readonly days: number;
  /** By ascending threshold, from 0 (all moves). */
  readonly points: readonly HistoryPoint[];
  readonly recommended: HistoryPoint;
  readonly granted: boolean;
}

const DAY_MS = 86_400_000;
const LADDER = [0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];

/**
 * Answers the savings-threshold document ("examine their consolidation events, estimate what threshold would have blocked
 * the problematic ones"). Covers executed moves only: with a threshold, other moves could have replaced blocked ones.
 * `moves`: at least one.
 */
export function historyCurve(moves: readonly PastMove[], wish: TuningGoal, pods: number | undefined): HistoryCurve {
  const times = moves.map(({ atMs }) => atMs);
  // At least one day.
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
  const granted = points.filter((point) => meetsGoal(wish, point));
  // For few evictions the lowest sufficient threshold, for savings the highest.
  const first = wish.maxEvictionsPerPodDay !== undefined;
  const nearest = first ? points.at(-1) : points[0];
  return {
    days,
    points,
    recommended: (first ? granted[0] : granted.at(-1)) ?? nearest ?? points[0],
    granted: granted.length > 0,
  };
}

function meetsGoal(
  { maxEvictionsPerPodDay = Infinity, keepSavings = 0 }: TuningGoal,
  { evictionsPerPodDay = 0, kept }: HistoryPoint,
): boolean {
  return evictionsPerPodDay <= maxEvictionsPerPodDay && kept >= keepSavings;
}

function sum(moves: readonly PastMove[], figure: (move: PastMove) => number): number {
  return moves.reduce((total, move) => total + figure(move), 0);
}
