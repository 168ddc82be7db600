import type { RequiredSavings } from '../disruption/required-savings.ts';
import type { MoveRefusal } from '../refusal.ts';

/** Cents that nobody could see: noise of adding and subtracting prices. */
const NOISE = 1e-7;

export function isEnough(savingsCents: number, requiredCents: number): boolean {
  return savingsCents > 0 && savingsCents >= requiredCents - NOISE;
}

/**
 * A move must save something, and at least threshold × disruption cost. Each node brings its own pool's
 * threshold, so a move across pools cannot borrow leniency from the most permissive one.
 */
export function savingsThreshold(savingsCents: number, r: RequiredSavings): MoveRefusal | undefined {
  if (isEnough(savingsCents, r.requiredCents)) return undefined;
  return {
    code: 'savings-below-threshold',
    savingsCentsPerHour: savingsCents,
    requiredCentsPerHour: r.requiredCents,
    disruptionCost: r.disruptionCost,
    threshold: r.threshold,
  };
}
