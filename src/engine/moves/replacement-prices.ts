import { hasBit } from '../cluster/bitset.ts';
import { ON_DEMAND, SPOT } from '../cluster/well-known.ts';
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
import type { MoveCost } from './move-cost.ts';
import { capacityTypes, insistOn, type Launch, mayBeBoth, type Replacement, unmetMinValues } from './replacement.ts';

type Priced = { readonly replacement: Replacement } | { readonly refusal: MoveRefusal };
type AllPriced = { readonly replacements: readonly Replacement[] } | { readonly refusal: MoveRefusal };

/** The types that each replacement may be launched as, such that the move saves enough with any of them. */
export function priceReplacements(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  replacements: readonly Launch[],
  cost: MoveCost,
  factor: number,
): AllPriced {
  const bar = barOf(candidates, cost, factor);
  const scales = scalesOf(replacements);
  const priced: Replacement[] = [];
  for (const [i, replacement] of replacements.entries()) {
    const spot = bar.allSpot && admits(capacityTypes(cluster, replacement), SPOT);
    const usual = (spot ? spotToSpot : cheaper)(cluster, bar, replacement, scales[i]);
    const one = cost.hasCommitments ? orCovered(cluster, bar, replacement, scales[i], usual) : usual;
    if ('refusal' in one) return { refusal: orPaid(candidates, cost, one.refusal) };
    priced.push(one.replacement);
  }
  // Several may share the rest of a commitment.
  const least = cost.hasCommitments && priced.length > 1 ? cost.leastSavings(priced) : undefined;
  const refusal = least === undefined ? undefined : belowBar(bar, least);
  if (refusal !== undefined) return { refusal: orPaid(candidates, cost, refusal) };
  return { replacements: priced };
}

/** Commitments are filled first: only types that one pays for, if that costs the cluster less. */
function orCovered(cluster: CompiledCluster, bar: Bar, launch: Launch, scale: number, usual: Priced): Priced {
  const { cost } = bar;
  const requirements = mayBeBoth(cluster, launch) ? insistOn(ON_DEMAND, cluster, launch) : launch.requirements;
  const { worst } = cluster.types.prices(requirements);
  const added = cost.worst(requirements);
  const types = cluster.types.launchLists.reorder(launch.list, requirements).filter((t) => added[t] < worst[t]);
  if (types.length === 0) return usual;
  const priced = filterByPrice(cluster, bar, { ...launch, requirements, types }, scale);
  if ('refusal' in priced || 'refusal' in usual) return 'refusal' in priced ? usual : priced;
  return cost.savings([priced.replacement]) > cost.savings([usual.replacement]) ? priced : usual;
}

/** If a commitment pays for the nodes, that is the reason of a refusal for price. */
function orPaid(candidates: readonly Candidate[], cost: MoveCost, refusal: MoveRefusal): MoveRefusal {
  if (!cost.isCovered || !PRICE_REFUSALS.has(refusal.code)) return refusal;
  const names = new Set(candidates.flatMap(({ coveredBy = [] }) => coveredBy.map(({ name }) => name)));
  const [centsPerHour, savedCentsPerHour] = [cost.price * 100, cost.worth * 100];
  return { code: 'covered-by-commitment', commitments: [...names].sort(), centsPerHour, savedCentsPerHour };
}

/** Refusals about money only. */
export const PRICE_REFUSALS: ReadonlySet<string> = new Set([
  'not-cheaper',
  'covered-by-commitment',
  'savings-below-percent',
  'savings-below-threshold',
]);

/** The price of the nodes, and the savings that removing them requires. */
interface Bar {
  readonly cost: MoveCost;
  readonly nodes: number;
  readonly allSpot: boolean;
  readonly required: RequiredSavings;
  readonly percent: number;
  readonly auto: AutoPercent | undefined;
  /** Weight of the savings by the expected lifetime of the destinations, in (0, 1]. */
  readonly factor: number;
}

function barOf(candidates: readonly Candidate[], cost: MoveCost, factor: number): Bar {
  return {
    cost,
    nodes: candidates.length,
    allSpot: candidates.every((c) => c.capacityType === SPOT),
    required: requiredSavings(candidates),
    percent: requiredPercent(candidates, cost.price),
    auto: strictestAuto(candidates),
    factor,
  };
}

/**
 * When one replacement is priced: the price of all replacements together as a multiple of its type's price. Each
 * may then cost more than its cheapest type in the same proportion, and even the most expensive choice of all of them
 * together stays within what was tested: Σ least(i) × ρ with ρ the proportion that passed.
 */
function scalesOf(replacements: readonly Launch[]): readonly number[] {
  if (replacements.length === 1) return ONE;
  const sum = replacements.reduce((total, { list }) => total + list.least, 0);
  return replacements.map(({ list }) => sum / list.least);
}

const ONE: readonly number[] = [1];

/**
 * Insists on spot where both would do. Karpenter also insists on it for types that are not sold as spot, which can never
 * be launched then; without compat they are left out, and if no others exist, on-demand is used.
 */
function cheaper(cluster: CompiledCluster, bar: Bar, launch: Launch, scale: number): Priced {
  if (!mayBeBoth(cluster, launch)) return filterByPrice(cluster, bar, launch, scale);
  const requirements = insistOn(SPOT, cluster, launch);
  // Ordered before it is pinned, as in Karpenter: a type that is cheap on demand only may come first.
  if (cluster.settings.compat) {
    const kept = filterByPrice(cluster, bar, launch, scale);
    return 'refusal' in kept ? kept : { replacement: { ...kept.replacement, requirements } };
  }
  const worst = bar.cost.worst(launch.requirements);
  const types = saving(bar, cluster.types.launchLists.reorder(launch.list, requirements), worst, scale);
  if (types.length === 0) return filterByPrice(cluster, bar, launch, scale);
  const { template, pods } = launch;
  const unmet = unmetMinValues(cluster, { requirements: launch.requirements, types });
  return unmet.length > 0 ? minValues(unmet) : { replacement: { template, requirements, types, pods } };
}

function spotToSpot(cluster: CompiledCluster, bar: Bar, launch: Launch, scale: number): Priced {
  if (!cluster.objects.options.spotToSpot) return { refusal: { code: 'spot-to-spot-disabled' } };
  const { spotToSpotTypes, spotToSpotShrink = false } = cluster.settings;
  const flexibility = requiredSpotTypes(
    { spotToSpotTypes, spotToSpotShrink },
    bar.required.requiredCents,
    bar.cost.price * 100,
  );
  const requirements = insistOn(SPOT, cluster, launch);
  const offered = cluster.types.withOffering(requirements);
  const types = launch.types.filter((t) => hasBit(offered, t));
  const kept = filterByPrice(cluster, bar, { ...launch, requirements, types }, scale);
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
  const needed = cluster.types.prefixMeetingMinValues(kept.replacement.types, cluster.space.get(requirements)) ?? 0;
  return {
    replacement: { ...kept.replacement, types: kept.replacement.types.slice(0, Math.max(flexibility, needed)) },
  };
}

/** Types that are cheaper even in the worst case, and by enough to be worth the disruption. */
function filterByPrice(
  cluster: CompiledCluster,
  bar: Bar,
  { template, requirements, types, pods }: Replacement,
  scale: number,
): Priced {
  const { worth } = bar.cost;
  const worst = bar.cost.worst(requirements);
  const kept = saving(bar, types, worst, scale);
  if (kept.length > 0) {
    const replacement = { template, requirements, types: kept, pods };
    const unmet = unmetMinValues(cluster, replacement);
    return unmet.length > 0 ? minValues(unmet) : { replacement };
  }
  const least = types.reduce((min, t) => Math.min(min, worst[t]), Infinity) * scale;
  if (types.some((t) => worst[t] < worth / scale)) return { refusal: belowBar(bar, worth - least) as MoveRefusal };
  return {
    refusal: {
      code: 'not-cheaper',
      centsPerHour: worth * 100,
      cheapestCentsPerHour: least === Infinity ? null : least * 100,
    },
  };
}

/** The types that save enough. Bisection finds the highest such price: a list may have 600 types. */
function saving(bar: Bar, types: readonly number[], worst: Float64Array, scale: number): number[] {
  const { worth } = bar.cost;
  const isEnough = (own: number) => belowBar(bar, worth - own * scale) === undefined;
  let enough = -Infinity;
  let tooMuch = worth / scale;
  for (let i = 0, low = 0, high = tooMuch; i < HALVES && types.length > HALVES; i++) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) enough = low = middle;
    else tooMuch = high = middle;
  }
  const kept: number[] = [];
  for (const t of types) {
    const own = worst[t];
    if (own >= tooMuch || Number.isNaN(own)) continue;
    if (own > enough) {
      if (!isEnough(own)) {
        tooMuch = own;
        continue;
      }
      enough = own;
    }
    kept.push(t);
  }
  return kept;
}

const HALVES = 16;

function minValues(labels: readonly string[]): { readonly refusal: MoveRefusal } {
  return { refusal: { code: 'min-values', labels } };
}

/** Whether savings, in dollars per hour, are less than these nodes' pools require. */
export function tooLittle(
  candidates: readonly Candidate[],
  cost: MoveCost,
  savings: number,
  factor: number,
): MoveRefusal | undefined {
  const refusal = belowBar(barOf(candidates, cost, factor), savings);
  return refusal && orPaid(candidates, cost, refusal);
}

function belowBar({ cost, required, percent, auto, factor }: Bar, savings: number): MoveRefusal | undefined {
  return (
    minimumPercent(savings * 100, cost.price * 100, percent, auto) ?? savingsThreshold(savings * 100, required, factor)
  );
}
