import { hasBit } from '../cluster/bitset.ts';
import { SPOT } from '../cluster/well-known.ts';
import type { AutoPercent } from '../disruption/auto-percent.ts';
import type { Candidate } from '../disruption/candidates.ts';
import {
  type RequiredSavings,
  requiredPercent,
  requiredSavings,
  strictestAuto,
} from '../disruption/required-savings.ts';
import { requiredSpotTypes } from '../disruption/spot-flexibility.ts';
import { minimumPercent } from '../gates/minimum-percent.ts';
import { savingsThreshold } from '../gates/savings-threshold.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { admits } from '../selection/requirement.ts';
import {
  capacityTypes,
  cheaperThan,
  insistOnSpot,
  pinToSpot,
  type Replacement,
  unmetMinValues,
} from './replacement.ts';

type Priced = { readonly replacement: Replacement } | { readonly refusal: MoveRefusal };
type AllPriced = { readonly replacements: readonly Replacement[] } | { readonly refusal: MoveRefusal };

/** Which types each replacement may be launched as so that the move saves enough, whichever it gets. */
export function priceReplacements(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  replacements: readonly Replacement[],
  price: number,
  factor: number,
): AllPriced {
  const bar = barOf(candidates, price, factor);
  const scales = scalesOf(cluster, replacements);
  const priced: Replacement[] = [];
  for (const [i, replacement] of replacements.entries()) {
    const spot = bar.allSpot && admits(capacityTypes(cluster, replacement), SPOT);
    const one = (spot ? spotToSpot : cheaper)(cluster, bar, replacement, scales[i]);
    if ('refusal' in one) return one;
    priced.push(one.replacement);
  }
  return { replacements: priced };
}

/** What the nodes cost, and what removing them has to save. */
interface Bar {
  readonly price: number;
  readonly nodes: number;
  readonly allSpot: boolean;
  readonly required: RequiredSavings;
  readonly percent: number;
  readonly auto: AutoPercent | undefined;
  /** What savings count for where pods would go, in (0, 1]. */
  readonly factor: number;
}

function barOf(candidates: readonly Candidate[], price: number, factor: number): Bar {
  return {
    price,
    nodes: candidates.length,
    allSpot: candidates.every((c) => c.capacityType === SPOT),
    required: requiredSavings(candidates),
    percent: requiredPercent(candidates, price),
    auto: strictestAuto(candidates),
    factor,
  };
}

/**
 * How many times a type's own price all replacements together are taken to cost, when one of them is looked at. Each
 * may then cost more than its cheapest type in the same proportion, and even the most expensive choice of all of them
 * together stays within what was tested: Σ least(i) × ρ with ρ the proportion that passed.
 */
function scalesOf(cluster: CompiledCluster, replacements: readonly Replacement[]): readonly number[] {
  if (replacements.length === 1) return ONE;
  const least = replacements.map((r) => {
    const { worst } = cluster.types.prices(r.requirements);
    return r.types.reduce((min, t) => Math.min(min, worst[t]), Infinity);
  });
  const sum = least.reduce((a, b) => a + b, 0);
  return least.map((own) => sum / own);
}

const ONE: readonly number[] = [1];

function cheaper(cluster: CompiledCluster, bar: Bar, replacement: Replacement, scale: number): Priced {
  const kept = filterByPrice(cluster, bar, replacement, scale);
  if ('refusal' in kept) return kept;
  const pinned = pinToSpot(cluster, kept.replacement);
  const unmet = pinned.types.length < kept.replacement.types.length ? unmetMinValues(cluster, pinned) : [];
  return unmet.length > 0 ? { refusal: { code: 'min-values', labels: unmet } } : { replacement: pinned };
}

function spotToSpot(cluster: CompiledCluster, bar: Bar, replacement: Replacement, scale: number): Priced {
  if (!cluster.objects.options.spotToSpot) return { refusal: { code: 'spot-to-spot-disabled' } };
  const { spotToSpotTypes, spotToSpotShrink = false } = cluster.settings;
  const flexibility = requiredSpotTypes(
    { spotToSpotTypes, spotToSpotShrink },
    bar.required.requiredCents,
    bar.price * 100,
  );
  const pinned = insistOnSpot(cluster, replacement);
  const offered = cluster.types.withOffering(pinned.requirements);
  const types = pinned.types.filter((t) => hasBit(offered, t));
  const kept = filterByPrice(cluster, bar, { ...pinned, types }, scale);
  if ('refusal' in kept) return kept;
  if (bar.nodes === 1 && kept.replacement.types.length < flexibility) {
    return {
      refusal: {
        code: 'spot-to-spot-flexibility',
        options: kept.replacement.types.length,
        required: flexibility,
      },
    };
  }
  if (bar.nodes > 1) return kept;
  const needed =
    cluster.types.prefixMeetingMinValues(kept.replacement.types, cluster.space.get(pinned.requirements)) ?? 0;
  return {
    replacement: { ...kept.replacement, types: kept.replacement.types.slice(0, Math.max(flexibility, needed)) },
  };
}

/** Types that are cheaper even in the worst case, and by enough to be worth the disruption. */
function filterByPrice(cluster: CompiledCluster, bar: Bar, replacement: Replacement, scale: number): Priced {
  const { price } = bar;
  const { worst } = cluster.types.prices(replacement.requirements);
  const least = replacement.types.reduce((min, t) => Math.min(min, worst[t]), Infinity) * scale;
  const cheaperOnes = cheaperThan(cluster, replacement, price / scale);
  if (cheaperOnes.types.length === 0) {
    return {
      refusal: {
        code: 'not-cheaper',
        centsPerHour: price * 100,
        cheapestCentsPerHour: least === Infinity ? null : least * 100,
      },
    };
  }
  const kept = {
    ...cheaperOnes,
    types: cheaperOnes.types.filter((t) => belowBar(bar, price - worst[t] * scale) === undefined),
  };
  if (kept.types.length === 0) return { refusal: belowBar(bar, price - least) as MoveRefusal };
  const unmet = unmetMinValues(cluster, kept);
  return unmet.length > 0 ? { refusal: { code: 'min-values', labels: unmet } } : { replacement: kept };
}

/** Is a saving, in dollars per hour, less than what these nodes' pools ask for? */
export function tooLittle(
  candidates: readonly Candidate[],
  price: number,
  savings: number,
  factor: number,
): MoveRefusal | undefined {
  return belowBar(barOf(candidates, price, factor), savings);
}

function belowBar({ price, required, percent, auto, factor }: Bar, savings: number): MoveRefusal | undefined {
  return minimumPercent(savings * 100, price * 100, percent, auto) ?? savingsThreshold(savings * 100, required, factor);
}
