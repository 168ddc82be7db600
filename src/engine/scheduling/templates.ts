import { type Bitset, intersectInto, isEmptyBitset } from '../cluster/bitset.ts';
import type { NodePoolObject, Taint } from '../cluster/objects.ts';
import { HOSTNAME, INITIALIZED, NODE_POOL, REGISTERED } from '../cluster/well-known.ts';
import { oneOf } from '../selection/requirement.ts';
import type { RequirementSpace, RequirementsId } from '../selection/requirement-space.ts';
import { fromLabels, fromSelectors, hasMinValues, intersectAll, type Requirements } from '../selection/requirements.ts';
import type { DaemonGroup } from './daemon-sets.ts';
import type { InstanceTypes } from './instance-types.ts';

/** Placeholder hostname of a new node: a value that no other has. */
const NEW_HOST = '\u0000new';

/** A NodePool as a source of new nodes. */
export interface Template {
  readonly pool: NodePoolObject;
  readonly taints: readonly Taint[];
  /** The pool's own requirements and template labels. */
  readonly declared: Requirements;
  /** With the labels that Karpenter adds. */
  readonly requirements: RequirementsId;
  /** Of a new claim: with its own hostname. */
  readonly opening: RequirementsId;
  /** Types that the pool allows; empty if it can launch nothing. */
  readonly types: Bitset;
  readonly hasMinValues: boolean;
  /** Types by the DaemonSets that would run on them. Set once DaemonSets are known. */
  daemons: readonly DaemonGroup[];
}

/** Pools that may launch, in the order in which they are tried: by descending weight, then descending name. */
export function launchingPools(pools: readonly NodePoolObject[]): NodePoolObject[] {
  return pools
    .filter((p) => p.replicas === undefined && p.ready && !p.terminating)
    .sort((a, b) => b.weight - a.weight || (a.name > b.name ? -1 : 1));
}

export function makeTemplates(
  pools: readonly NodePoolObject[],
  types: InstanceTypes,
  space: RequirementSpace,
  bestEffort: boolean,
): Template[] {
  return pools.map((pool) => {
    const declared = intersectAll(fromSelectors(pool.requirements).values(), fromLabels(pool.templateLabels).values());
    const { group, kind, name } = pool.nodeClass;
    const added = fromLabels({
      [NODE_POOL]: pool.name,
      [`${group}/${kind.toLowerCase()}`]: name,
      [REGISTERED]: 'true',
      [INITIALIZED]: 'true',
    });
    const requirements = intersectAll(declared.values(), added.values());
    const id = space.intern(requirements);
    const launchable = types.launchable(id).slice();
    intersectInto(launchable, types.sound);
    const wantsMinValues = hasMinValues(requirements);
    if (wantsMinValues && !bestEffort && !meetsMinValues(types, launchable, requirements)) launchable.fill(0);
    return {
      pool,
      taints: pool.taints,
      declared,
      requirements: id,
      opening: space.intern(intersectAll(requirements.values(), [oneOf(HOSTNAME, [NEW_HOST])])),
      types: launchable,
      hasMinValues: wantsMinValues,
      daemons: [],
    };
  });
}

/**
 * Whether these types offer enough distinct values for every label with minValues. True for no types, as in Karpenter.
 */
export function meetsMinValues(types: InstanceTypes, among: Bitset, requirements: Requirements): boolean {
  if (isEmptyBitset(among)) return true;
  for (const r of requirements.values()) {
    if (r.minValues !== undefined && types.valuesAmong(among, r) < r.minValues) return false;
  }
  return true;
}
