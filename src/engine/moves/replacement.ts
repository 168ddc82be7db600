import { hasBit } from '../cluster/bitset.ts';
import { CAPACITY_TYPE, HOSTNAME, ON_DEMAND, RESERVATION_ID, RESERVED, SPOT } from '../cluster/well-known.ts';
import type { Claim } from '../scheduling/claim.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { admits, anything, intersection, oneOf, operatorOf, type Requirement } from '../selection/requirement.ts';
import type { RequirementsId } from '../selection/requirement-space.ts';

/** A node to be launched in exchange: what it may be. */
export interface Replacement {
  readonly template: number;
  readonly requirements: RequirementsId;
  /** Indices into the catalog, cheapest first. */
  readonly types: readonly number[];
  readonly pods: readonly number[];
}

/** Types kept on a claim: more than this many cannot be sent with a launch. */
const MAX_TYPES = 600;

/**
 * The claim as it would be launched: without the stand-in hostname, tied to its reservations if it
 * holds any, and with no more types than can be sent. undefined if that breaks minValues.
 */
export function finalize(cluster: CompiledCluster, claim: Claim): Replacement | undefined {
  const { space, types, objects, templates } = cluster;
  const requirements = launchRequirements(cluster, claim);
  const sent: number[] = [];
  for (const type of types.prices(requirements).order) {
    if (!hasBit(claim.types, type)) continue;
    sent.push(type);
    if (sent.length === MAX_TYPES) break;
  }
  const strict = templates[claim.template].hasMinValues && objects.options.minValues !== 'BestEffort';
  if (strict && types.prefixMeetingMinValues(sent, space.get(requirements)) === undefined) return undefined;
  return { template: claim.template, requirements, types: sent, pods: claim.pods };
}

function launchRequirements(cluster: CompiledCluster, claim: Claim): RequirementsId {
  const { space } = cluster;
  // Nobody but topology looks at the hostname, so it only has to go where requirements are rewritten anyway.
  if (claim.reservations.size === 0) return claim.requirements;
  const requirements = new Map(space.get(claim.requirements));
  requirements.delete(HOSTNAME);
  requirements.set(CAPACITY_TYPE, oneOf(CAPACITY_TYPE, [RESERVED]));
  add(requirements, oneOf(RESERVATION_ID, claim.reservations));
  return space.intern(requirements);
}

function add(target: Map<string, Requirement>, r: Requirement): void {
  const existing = target.get(r.key);
  target.set(r.key, existing === undefined ? r : intersection(r, existing));
}

/** Types whose launch costs less than this even in the worst case. */
export function cheaperThan(cluster: CompiledCluster, r: Replacement, price: number): Replacement {
  const { worst } = cluster.types.prices(r.requirements);
  return { ...r, types: r.types.filter((t) => worst[t] < price) };
}

/** Labels whose minValues the types do not meet. */
export function unmetMinValues(cluster: CompiledCluster, r: Replacement): readonly string[] {
  const requirements = cluster.space.get(r.requirements);
  if (cluster.types.prefixMeetingMinValues(r.types, requirements) !== undefined) return [];
  return [...requirements.values()].filter((x) => x.minValues !== undefined).map((x) => x.key);
}

export function capacityTypes(cluster: CompiledCluster, r: Pick<Replacement, 'requirements'>): Requirement {
  return cluster.space.require(r.requirements, CAPACITY_TYPE) ?? anything(CAPACITY_TYPE);
}

/**
 * Insists on spot where both would do: if spot runs out, the launch fails instead of buying on-demand. Karpenter also
 * insists on it for types that are not sold as spot, which can never be launched then; without compat they are left
 * out, and if there are no others, on-demand it is.
 */
export function pinToSpot(cluster: CompiledCluster, r: Replacement): Replacement {
  const allowed = capacityTypes(cluster, r);
  if (!admits(allowed, SPOT) || !admits(allowed, ON_DEMAND)) return r;
  const pinned = insistOnSpot(cluster, r);
  // Ordered before it is pinned, as in Karpenter: a type that is cheap on demand only may come first.
  if (cluster.settings.compat) return pinned;
  const { cheapest } = cluster.types.prices(pinned.requirements);
  const asSpot = r.types.filter((t) => cheapest[t] !== Infinity);
  if (asSpot.length === 0) return r;
  return { ...pinned, types: asSpot.sort((a, b) => cheapest[a] - cheapest[b]) };
}

export function insistOnSpot(cluster: CompiledCluster, r: Replacement): Replacement {
  const requirements = new Map(cluster.space.get(r.requirements));
  add(requirements, oneOf(CAPACITY_TYPE, [SPOT]));
  return { ...r, requirements: cluster.space.intern(requirements) };
}

/** Dollars per hour of the first type's cheapest available offering; 0 if it has none, as Karpenter counts. */
export function expectedPrice(cluster: CompiledCluster, r: Replacement): number {
  if (r.types.length === 0) return 0;
  const price = cluster.types.prices(r.requirements).cheapest[r.types[0]];
  return price === Infinity ? 0 : price;
}

/** Values of a label that the launch may have; ['*'] if it is not restricted. */
export function labelValues(cluster: CompiledCluster, r: Replacement, key: string): string[] {
  const requirement = cluster.space.require(r.requirements, key);
  if (requirement === undefined) return ['*'];
  const operator = operatorOf(requirement);
  const sorted = [...requirement.values].sort();
  return operator === 'In' ? sorted : [`${operator}:${sorted.join(',')}`];
}
