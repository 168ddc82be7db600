import type { Settings } from '../settings.ts';

/**
 * Cheaper types required to replace spot by spot. The 15 keep a node from being replaced by the next cheaper type again
 * and again. A savings threshold does that too: if each step must save 60 % of the price, few are possible. So on
 * request the number shrinks in proportion to the share of the price that the threshold leaves (savings-threshold
 * document, future work), never below one.
 */
export function requiredSpotTypes(
  { spotToSpotTypes, spotToSpotShrink }: Pick<Settings, 'spotToSpotTypes' | 'spotToSpotShrink'>,
  requiredCents: number,
  priceCents: number,
): number {
  if (!spotToSpotShrink || priceCents <= 0 || requiredCents <= 0) return spotToSpotTypes;
  const left = Math.max(0, 1 - requiredCents / priceCents);
  // Without float noise: 15 × (1 − 20/30) is 5.
  return Math.max(1, Math.ceil(spotToSpotTypes * left - 1e-9));
}
