import type { RequiredSavings } from '../disruption/required-savings.ts';
import { isAtLeast } from '../disruption/tolerance.ts';
import type { MoveRefusal } from '../refusal.ts';

export function isEnough(savingsCents: number, requiredCents: number): boolean {
  return savingsCents > 0 && isAtLeast(savingsCents, requiredCents);
}

/**
 * A move must save something, and at least threshold × disruption cost. Each node uses its own pool's threshold, so a
 * move across pools cannot borrow leniency from the most permissive one. `factor`: weight of the savings by the
 * lifetime of the destinations.
 */
export function savingsThreshold(savingsCents: number, r: RequiredSavings, factor = 1): MoveRefusal | undefined {
  if (isEnough(savingsCents * factor, r.requiredCents)) return undefined;
  return {
    code: 'savings-below-threshold',
    savingsCentsPerHour: savingsCents,
    requiredCentsPerHour: r.requiredCents,
    disruptionCost: r.disruptionCost,
    threshold: r.threshold,
    ...(factor < 1 ? { discountedCentsPerHour: savingsCents * factor } : {}),
  };
}
