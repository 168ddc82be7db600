import { CAPACITY_TYPE, HOSTNAME, ON_DEMAND, RESERVATION_ID, RESERVED, SPOT } from '../cluster/well-known.ts';
import type { Claim } from '../scheduling/claim.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { LaunchList } from '../scheduling/launch-lists.ts';
import { admits, anything, oneOf, operatorOf, type Requirement } from '../selection/requirement.ts';
import type { RequirementsId } from '../selection/requirement-space.ts';
import { add } from '../selection/requirements.ts';

/** A node to launch: what it may be. */
export interface Replacement {
  readonly template: number;
  readonly requirements: RequirementsId;
  /** Indices into the catalog, cheapest first. */
  readonly types: readonly number[];
  readonly pods: readonly number[];
}

/** A replacement with all types that its claim allows. */
export interface Launch extends Replacement {
  readonly list: LaunchList;
}

/**
 * The claim as it would be launched: without the placeholder hostname, bound to its reservations if it has any, and
 * with no more types than a launch may list. undefined if that breaks minValues.
 */
export function finalize(cluster: CompiledCluster, claim: Claim): Launch | undefined {
  const { space, types, objects, templates } = cluster;
  const requirements = launchRequirements(cluster, claim);
  const list = types.launchLists.of(requirements, claim.types);
  const strict = templates[claim.template].hasMinValues && objects.options.minValues !== 'BestEffort';
  if (strict && types.prefixMeetingMinValues(list.types, space.get(requirements)) === undefined) return undefined;
  return { template: claim.template, requirements, types: list.types, pods: claim.pods, list };
}

function launchRequirements(cluster: CompiledCluster, claim: Claim): RequirementsId {
  const { space } = cluster;
  // Only topology uses the hostname, so it is removed only if requirements are rewritten anyway.
  if (claim.reservations.size === 0) return claim.requirements;
  const requirements = new Map(space.get(claim.requirements));
  requirements.delete(HOSTNAME);
  requirements.set(CAPACITY_TYPE, oneOf(CAPACITY_TYPE, [RESERVED]));
  add(requirements, oneOf(RESERVATION_ID, claim.reservations));
  return space.intern(requirements);
}

/** Labels whose minValues the types do not meet. */
export function unmetMinValues(
  cluster: CompiledCluster,
  r: Pick<Replacement, 'requirements' | 'types'>,
): readonly string[] {
  const requirements = cluster.space.get(r.requirements);
  if (cluster.types.prefixMeetingMinValues(r.types, requirements) !== undefined) return [];
  return [...requirements.values()].filter((x) => x.minValues !== undefined).map((x) => x.key);
}

export function capacityTypes(cluster: CompiledCluster, r: Pick<Replacement, 'requirements'>): Requirement {
  return cluster.space.require(r.requirements, CAPACITY_TYPE) ?? anything(CAPACITY_TYPE);
}

/** Whether a launch could be on-demand or spot. */
export function mayBeBoth(cluster: CompiledCluster, r: Pick<Replacement, 'requirements'>): boolean {
  const allowed = capacityTypes(cluster, r);
  return admits(allowed, SPOT) && admits(allowed, ON_DEMAND);
}

/** If this capacity type runs out, the launch fails instead of buying another. */
export function insistOn(
  capacityType: string,
  { space }: CompiledCluster,
  r: Pick<Replacement, 'requirements'>,
): RequirementsId {
  return space.intersect(
    r.requirements,
    space.intern(new Map([[CAPACITY_TYPE, oneOf(CAPACITY_TYPE, [capacityType])]])),
  );
}

/** Dollars per hour of the first type's cheapest available offering; 0 if it has none, as in Karpenter. */
export function expectedPrice(cluster: CompiledCluster, r: Replacement): number {
  if (r.types.length === 0) return 0;
  const price = cluster.types.prices(r.requirements).cheapest[r.types[0]];
  return price === Infinity ? 0 : price;
}

/** Values of a label that the launch may have; ['*'] if unrestricted. */
export function labelValues(cluster: CompiledCluster, r: Replacement, key: string): string[] {
  const requirement = cluster.space.require(r.requirements, key);
  if (requirement === undefined) return ['*'];
  const operator = operatorOf(requirement);
  const sorted = [...requirement.values].sort();
  return operator === 'In' ? sorted : [`${operator}:${sorted.join(',')}`];
}
