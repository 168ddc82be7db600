import { hasBit } from '../engine/cluster/bitset.ts';
import type { NodeSelectorRequirement } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, HOSTNAME, INITIALIZED, INSTANCE_TYPE, REGISTERED } from '../engine/cluster/well-known.ts';
import { capacityTypes, type Replacement } from '../engine/moves/replacement.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { admits, operatorOf, type Requirement } from '../engine/selection/requirement.ts';

/** spec.requirements of a NodeClaim. */
export type ClaimRequirements = readonly NodeSelectorRequirement[];

/** Labels that a NodeClaim gets by itself later, or that are placeholders. */
const NOT_ASKED_FOR = new Set([HOSTNAME, INITIALIZED, REGISTERED]);

/**
 * The replacement's requirements as Karpenter would write them (karpenter-semantics §7): its types by name, cheapest
 * first.
 */
export function launchRequirements(cluster: CompiledCluster, r: Replacement): ClaimRequirements {
  const given = cluster.space.get(r.requirements);
  const minValues = given.get(INSTANCE_TYPE)?.minValues;
  const out: NodeSelectorRequirement[] = [
    {
      key: INSTANCE_TYPE,
      operator: 'In',
      values: r.types.map((t) => cluster.types.list[t].name),
      ...(minValues === undefined ? {} : { minValues }),
    },
    {
      key: CAPACITY_TYPE,
      operator: 'In',
      values: offeredCapacityTypes(cluster, r),
      ...(given.get(CAPACITY_TYPE)?.minValues === undefined ? {} : { minValues: given.get(CAPACITY_TYPE)?.minValues }),
    },
  ];
  for (const requirement of given.values()) {
    const { key } = requirement;
    if (key === INSTANCE_TYPE || key === CAPACITY_TYPE || NOT_ASKED_FOR.has(key)) continue;
    out.push(...selectorsOf(requirement));
  }
  return out;
}

/** Capacity types available for some of its types now. */
function offeredCapacityTypes(cluster: CompiledCluster, r: Replacement): string[] {
  const allowed = capacityTypes(cluster, r);
  const offered = new Set<string>();
  for (const t of r.types) {
    for (const { available, requirements } of cluster.types.list[t].offerings) {
      const kind = requirements.find((o) => o.key === CAPACITY_TYPE)?.values?.[0];
      if (available && kind !== undefined && admits(allowed, kind)) offered.add(kind);
    }
  }
  return [...offered].sort();
}

/** A requirement as selectors; bounds need one each. */
function selectorsOf(r: Requirement): NodeSelectorRequirement[] {
  const { key, atLeast, atMost, minValues } = r;
  const wish = minValues === undefined ? {} : { minValues };
  const out: NodeSelectorRequirement[] = [];
  if (atLeast !== undefined) out.push({ key, operator: 'Gt', values: [String(atLeast - 1)], ...wish });
  if (atMost !== undefined) out.push({ key, operator: 'Lt', values: [String(atMost + 1)], ...wish });
  const operator = operatorOf(r);
  if (out.length > 0 && operator === 'Exists') return out;
  const values = operator === 'In' || operator === 'NotIn' ? { values: [...r.values].sort() } : {};
  return [...out, { key, operator, ...values, ...wish }];
}

/** Summed requests of its pods, and of the DaemonSets that run on all of its types. */
export function launchRequests(cluster: CompiledCluster, r: Replacement): Readonly<Record<string, number>> {
  const { requests, requestOfPod, templates } = cluster;
  const groups = templates[r.template].daemons.filter((g) => r.types.some((t) => hasBit(g.types, t)));
  const out: Record<string, number> = {};
  for (const [name, d] of requests.dimensions) {
    let amount = groups.length === 0 ? 0 : Math.min(...groups.map((g) => g.overhead[d]));
    for (const pod of r.pods) amount += requests.amounts(requestOfPod[pod])[d];
    if (amount > 0) out[name] = amount;
  }
  return out;
}
