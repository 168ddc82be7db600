import { hasBit } from '../cluster/bitset.ts';
import { CAPACITY_TYPE, SPOT } from '../cluster/well-known.ts';
import type { Candidate } from '../disruption/candidates.ts';
import { requiredPercent, requiredSavings } from '../disruption/required-savings.ts';
import { minimumPercent } from '../gates/minimum-percent.ts';
import { savingsThreshold } from '../gates/savings-threshold.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Outcome, Simulation } from '../scheduling/simulation.ts';
import { admits } from '../selection/requirement.ts';
import {
  capacityTypes,
  cheaperThan,
  expectedPrice,
  finalize,
  insistOnSpot,
  pinToSpot,
  type Replacement,
  unmetMinValues,
} from './replacement.ts';

export interface Placement {
  readonly pod: number;
  /** Row of an existing node, or -1 for the replacement. */
  readonly row: number;
}

export interface Move {
  readonly kind: 'delete' | 'replace';
  readonly candidates: readonly Candidate[];
  readonly replacement?: Replacement;
  readonly placements: readonly Placement[];
  /** Dollars per hour that the nodes cost less what the replacement is expected to. */
  readonly savings: number;
}

export type Consolidation = { readonly move: Move } | { readonly refusal: MoveRefusal };

export interface ConsolidateOptions {
  /** Simulate to the end even when the answer is "no" already, so that the refusal has all its numbers. */
  readonly thorough?: boolean;
  /** Sees the outcome while it stands. */
  readonly watch?: (outcome: Outcome) => void;
}

/** What stock Karpenter decides about removing these candidates together (karpenter-semantics §4.4), budgets and policies aside. */
export function consolidate(
  simulation: Simulation,
  candidates: readonly Candidate[],
  options: ConsolidateOptions = {},
): Consolidation {
  const { cluster } = simulation;
  if (!cluster.hasPools) return { refusal: { code: 'no-ready-node-pool' } };
  const maxClaims = options.thorough === true || mayLoseClaims(cluster) ? Infinity : 1;
  const rows = candidates.map((c) => c.row);
  return simulation.removing(
    rows,
    (outcome) => {
      options.watch?.(outcome);
      return judge(cluster, candidates, outcome);
    },
    { maxClaims },
  );
}

/** Cutting a claim to the types that can be sent may break minValues and drop the claim, so counting early would be wrong. */
function mayLoseClaims(cluster: CompiledCluster): boolean {
  return cluster.pending.length > 0 && cluster.templates.some((t) => t.hasMinValues);
}

function judge(cluster: CompiledCluster, candidates: readonly Candidate[], outcome: Outcome): Consolidation {
  const stranded = withoutPending(cluster, outcome.unplaced);
  if (stranded.length === 0 && outcome.cutShort) {
    return { refusal: { code: 'too-many-replacements', replacements: outcome.claims.length, allowed: 1 } };
  }
  const allSpot = candidates.every((c) => c.capacityType === SPOT);
  if (stranded.length === 0 && allSpot && isRefusedAsSpot(cluster, outcome))
    return { refusal: { code: 'spot-to-spot-disabled' } };
  const finalized: Replacement[] = [];
  for (const claim of outcome.claims) {
    const replacement = finalize(cluster, claim);
    if (replacement !== undefined) finalized.push(replacement);
    else stranded.push(...withoutPending(cluster, claim.pods));
  }
  if (stranded.length > 0) return { refusal: { code: 'pods-unplaceable', ...podNames(cluster, stranded) } };
  const waiting = withoutPending(cluster, outcome.onUninitialized);
  if (waiting.length > 0) return { refusal: { code: 'relies-on-uninitialized-node', ...podNames(cluster, waiting) } };
  if (finalized.length > 1) {
    return { refusal: { code: 'too-many-replacements', replacements: finalized.length, allowed: 1 } };
  }
  const price = candidates.reduce((sum, c) => sum + c.price, 0);
  const placements: Placement[] = outcome.placements.map(({ pod, row }) => ({ pod, row }));
  if (finalized.length === 0) {
    // Stock deletes also what it has no price for.
    const refusal = cluster.settings.compat ? undefined : tooLittle(candidates, price, price);
    return refusal === undefined ? { move: { kind: 'delete', candidates, placements, savings: price } } : { refusal };
  }

  const [replacement] = finalized;
  const spot = allSpot && admits(capacityTypes(cluster, replacement), SPOT);
  const priced = spot
    ? spotToSpot(cluster, candidates, replacement, price)
    : cheaper(cluster, candidates, replacement, price);
  if ('refusal' in priced) return priced;
  placements.push(...replacement.pods.map((pod) => ({ pod, row: -1 })));
  const chosen = { ...priced.replacement, pods: replacement.pods.slice() };
  const savings = price - expectedPrice(cluster, chosen);
  return { move: { kind: 'replace', candidates, replacement: chosen, placements, savings } };
}

/** Spot for spot where that is off: no need to look at types and prices, unless minValues could drop the claim. */
function isRefusedAsSpot(cluster: CompiledCluster, { claims, onUninitialized }: Outcome): boolean {
  if (cluster.objects.options.spotToSpot || claims.length !== 1 || onUninitialized.length > 0) return false;
  const [{ requirements, reservations, template }] = claims;
  const allowed = cluster.space.require(requirements, CAPACITY_TYPE);
  return (
    !cluster.templates[template].hasMinValues &&
    reservations.size === 0 &&
    (allowed === undefined || admits(allowed, SPOT))
  );
}

type Priced = { readonly replacement: Replacement } | { readonly refusal: MoveRefusal };

function cheaper(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  replacement: Replacement,
  price: number,
): Priced {
  const kept = filterByPrice(cluster, candidates, replacement, price);
  if ('refusal' in kept) return kept;
  // Ordered before it is pinned, as in Karpenter: a type that is cheap on demand only may come first.
  return { replacement: pinToSpot(cluster, kept.replacement) };
}

function spotToSpot(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  replacement: Replacement,
  price: number,
): Priced {
  if (!cluster.objects.options.spotToSpot) return { refusal: { code: 'spot-to-spot-disabled' } };
  const flexibility = cluster.settings.spotToSpotTypes;
  const pinned = insistOnSpot(cluster, replacement);
  const offered = cluster.types.withOffering(pinned.requirements);
  const kept = filterByPrice(
    cluster,
    candidates,
    { ...pinned, types: pinned.types.filter((t) => hasBit(offered, t)) },
    price,
  );
  if ('refusal' in kept) return kept;
  if (candidates.length === 1 && kept.replacement.types.length < flexibility) {
    return {
      refusal: {
        code: 'spot-to-spot-flexibility',
        options: kept.replacement.types.length,
        required: flexibility,
      },
    };
  }
  if (candidates.length > 1) return kept;
  const { types } = kept.replacement;
  const needed = cluster.types.prefixMeetingMinValues(types, cluster.space.get(pinned.requirements)) ?? 0;
  return { replacement: { ...kept.replacement, types: types.slice(0, Math.max(flexibility, needed)) } };
}

/** Types that are cheaper even in the worst case, and by enough to be worth the disruption. */
function filterByPrice(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  replacement: Replacement,
  price: number,
): Priced {
  const { worst } = cluster.types.prices(replacement.requirements);
  const least = replacement.types.reduce((min, t) => Math.min(min, worst[t]), Infinity);
  const cheaperOnes = cheaperThan(cluster, replacement, price);
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
    types: cheaperOnes.types.filter((t) => tooLittle(candidates, price, price - worst[t]) === undefined),
  };
  if (kept.types.length === 0) return { refusal: tooLittle(candidates, price, price - least) as MoveRefusal };
  const unmet = unmetMinValues(cluster, kept);
  return unmet.length > 0 ? { refusal: { code: 'min-values', labels: unmet } } : { replacement: kept };
}

/** Is a saving, in dollars per hour, less than what these nodes' pools ask for? */
function tooLittle(candidates: readonly Candidate[], price: number, savings: number): MoveRefusal | undefined {
  const required = requiredSavings(candidates);
  return (
    minimumPercent(savings * 100, price * 100, requiredPercent(candidates, price)) ??
    savingsThreshold(savings * 100, required)
  );
}

function withoutPending(cluster: CompiledCluster, pods: readonly number[]): number[] {
  return pods.filter((pod) => cluster.pods[pod].nodeName !== '');
}

const NAMED_PODS = 5;

function podNames(cluster: CompiledCluster, pods: readonly number[]): { pods: string[]; others: number } {
  const named = pods.slice(0, NAMED_PODS).map((i) => `${cluster.pods[i].namespace}/${cluster.pods[i].name}`);
  return { pods: named, others: pods.length - named.length };
}

/**
 * Several nodes for one of a type that is among them is no better than keeping that one: types at
 * least as dear as the cheapest such node are out. undefined if nothing is left.
 */
export function withoutKeptTypes(cluster: CompiledCluster, move: Move): Move | undefined {
  if (move.replacement === undefined) return move;
  const { types } = cluster;
  const cheapest = new Map<number, number>();
  for (const c of move.candidates) {
    const price = types.cheapestMatching(c.type, cluster.nodeSets.labelsOf(c.row));
    const known = cheapest.get(c.type);
    if (price !== undefined)
      cheapest.set(c.type, Math.min(known === undefined || known === 0 ? Infinity : known, price));
    else if (known === undefined) cheapest.set(c.type, 0);
  }
  let ceiling = Infinity;
  for (const t of move.replacement.types) ceiling = Math.min(ceiling, cheapest.get(t) ?? Infinity);
  const replacement = cheaperThan(cluster, move.replacement, ceiling);
  if (replacement.types.length === 0 || unmetMinValues(cluster, replacement).length > 0) return undefined;
  const price = move.candidates.reduce((sum, c) => sum + c.price, 0);
  return { ...move, replacement, savings: price - expectedPrice(cluster, replacement) };
}
