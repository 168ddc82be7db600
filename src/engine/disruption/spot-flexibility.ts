import type { Settings } from '../settings.ts';

/**
 * Cheaper types that a spot node needs before spot may replace it. The 15 keep it from walking down the
 * price list one cheapest type at a time. A savings threshold does that too: who must save 60 % of the
 * price each time can take few steps. So where asked for, the number shrinks in proportion to the share of
 * the price that the threshold leaves (savings-threshold document, future work), never below one.
 */
export function requiredSpotTypes(
  { spotToSpotTypes, spotToSpotShrink }: Pick<Settings, 'spotToSpotTypes' | 'spotToSpotShrink'>,
  requiredCents: number,
  priceCents: number,
): number {
  if (!spotToSpotShrink || priceCents <= 0 || requiredCents <= 0) return spotToSpotTypes;
  const left = Math.max(0, 1 - requiredCents / priceCents);
  // Not the noise of the division: 15 × (1 − 20/30) is 5.
  return Math.max(1, Math.ceil(spotToSpotTypes * left - 1e-9));
}
