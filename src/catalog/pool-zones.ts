import type { NodePoolObject } from '../engine/cluster/objects.ts';
import { ZONE } from '../engine/cluster/well-known.ts';
import type { ClusterFacts } from './cluster-location.ts';

/** By NodePool: the only zones in which it can launch nodes. */
export type ZonesByPool = ReadonlyMap<string, readonly string[]>;

/** Pools whose NodeClass has subnets in some of the cluster's zones only. */
export function zonesByPool({ nodePools, nodeClasses = [] }: ClusterFacts): ZonesByPool {
  const own = nodePools.flatMap(({ name, nodeClass: { group, kind, name: className } }) => {
    const found = nodeClasses.find((c) => c.group === group && c.kind === kind && c.name === className);
    const zones = [...new Set(found?.zones.map((zone) => zone.name))].sort();
    return zones.length === 0 ? [] : [[name, zones] as const];
  });
  const all = new Set(own.flatMap(([, zones]) => zones));
  return new Map(own.filter(([, zones]) => zones.length < all.size));
}

/** NodeClasses that list their zones, by group: how kubectl calls them. */
const CLASSES_WITH_ZONES: Readonly<Record<string, string>> = {
  'karpenter.k8s.aws': 'ec2nodeclasses',
  'eks.amazonaws.com': 'nodeclasses.eks.amazonaws.com',
};

/** A warning for each NodeClass that would tell the zones of a pool and is not known. */
export function unseenNodeClasses({ nodePools, nodeClasses = [] }: ClusterFacts): readonly string[] {
  const open = nodePools.filter(({ requirements }) => !requirements.some(({ key }) => key === ZONE));
  const unseen = open.flatMap(({ nodeClass: { group, kind, name } }) => {
    const plural = CLASSES_WITH_ZONES[group];
    const isKnown = nodeClasses.some((c) => c.group === group && c.kind === kind && c.name === name);
    if (plural === undefined || isKnown) return [];
    return `${kind} ${name} is not in the input (kubectl get ${plural} shows it): only zones of nodes and NodePools are used; --zones names others`;
  });
  return [...new Set(unseen)];
}

interface Restricted {
  readonly zones: string;
  readonly pool: NodePoolObject;
}

/** Equal pools in equal zones stay the same object: a controller's passes compare by identity. */
const restricted = new WeakMap<NodePoolObject, Restricted>();

/** The pools as if each required the zones of its NodeClass; the same list if none is restricted. */
export function poolsInZones(
  pools: readonly NodePoolObject[],
  zones: ZonesByPool = new Map(),
): readonly NodePoolObject[] {
  if (!pools.some(({ name }) => zones.has(name))) return pools;
  return pools.map((pool) => {
    const values = zones.get(pool.name);
    if (values === undefined) return pool;
    const text = values.join();
    const known = restricted.get(pool);
    if (known?.zones === text) return known.pool;
    const own = { ...pool, requirements: [...pool.requirements, { key: ZONE, operator: 'In', values } as const] };
    restricted.set(pool, { zones: text, pool: own });
    return own;
  });
}
