import type { AutoPercent } from '../disruption/auto-percent.ts';
import type { MoveRefusal } from '../refusal.ts';
import { isEnough } from './savings-threshold.ts';

/** A move must save at least this share of the price of the removed nodes; `auto`: how the share was computed. */
export function minimumPercent(
  savingsCents: number,
  priceCents: number,
  percent: number,
  auto?: AutoPercent,
): MoveRefusal | undefined {
  if (percent === 0 || isEnough(savingsCents, (priceCents * percent) / 100)) return undefined;
  return {
    code: 'savings-below-percent',
    savingsPercent: priceCents === 0 ? 0 : (savingsCents / priceCents) * 100,
    requiredPercent: percent,
    ...(auto === undefined ? {} : { auto }),
  };
}
