import type { KarpenterOptions } from '../engine/cluster/karpenter-options.ts';
import type { NodeOverlayObject } from '../engine/cluster/node-overlay-object.ts';
import type { NodeClaimObject, NodeObject, NodePoolObject } from '../engine/cluster/objects.ts';
import { labelOf } from '../engine/cluster/objects.ts';
import { canonicalLabels, REGION, ZONE } from '../engine/cluster/well-known.ts';
import type { Zone } from './region-offerings.ts';
import { bundledRegion, type Cloud } from './region-table.ts';

const ZONE_ID = 'topology.k8s.aws/zone-id';

/** An EC2NodeClass or similar, reduced to its zones. */
export interface NodeClassObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Zones of `status.subnets`; empty if unknown. */
  readonly zones: readonly Zone[];
}

/** The objects that tell a cluster's location. */
export interface ClusterFacts {
  readonly nodes: readonly NodeObject[];
  readonly nodeClaims: readonly NodeClaimObject[];
  readonly nodePools: readonly NodePoolObject[];
  readonly nodeClasses?: readonly NodeClassObject[];
  /** They change prices after the catalog, per NodePool. */
  readonly nodeOverlays?: readonly NodeOverlayObject[];
  /** Karpenter's; its gate may keep it from applying overlays. */
  readonly options?: Pick<KarpenterOptions, 'nodeOverlays'>;
}

export interface Location {
  readonly cloud: Cloud;
  readonly region: string;
}

/** The region of most nodes, such as `aws/eu-west-1`, bundled or not; undefined if no node or NodePool tells. */
export function locate({ nodes, nodeClaims, nodePools }: ClusterFacts): string | undefined {
  const counts = new Map<string, number>();
  const count = (name: string | undefined) => {
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (const { labels, providerId } of [...nodes, ...nodeClaims])
    count(locationOf(canonicalLabels(labels), providerId));
  if (counts.size === 0) for (const zone of zonesWanted(nodePools)) count(ofZone(zone));
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))[0]?.[0];
}

function locationOf(labels: Readonly<Record<string, string>>, providerId: string): string | undefined {
  const region = labelOf(labels, REGION);
  const cloud = cloudOf(providerId);
  if (region !== undefined && region !== '') return cloud === undefined ? known(region) : `${cloud}/${region}`;
  return ofZone(labelOf(labels, ZONE) ?? zoneOfProviderId(providerId) ?? '');
}

/** By the scheme of the provider ID: aws:///eu-west-1a/i-0…, gce://project/europe-west1-b/name, azure:///…. */
function cloudOf(providerId: string): Cloud | undefined {
  const scheme = /^([a-z]+):\/\//.exec(providerId)?.[1];
  return scheme === 'gce' ? 'gcp' : scheme === 'aws' || scheme === 'azure' ? scheme : undefined;
}

function zoneOfProviderId(providerId: string): string | undefined {
  return /^aws:\/\/\/([^/]+)\/|^gce:\/\/[^/]+\/([^/]+)\//
    .exec(providerId)
    ?.slice(1)
    .find((zone) => zone !== undefined);
}

/** eu-west-1a, westeurope-1, europe-west1-b: naming differs by cloud, so the table decides. */
function ofZone(zone: string): string | undefined {
  return known(zone.replace(/-?[a-z]$/, '')) ?? known(zone.replace(/-\d$/, ''));
}

function known(region: string): string | undefined {
  return (['aws', 'azure', 'gcp'] as const)
    .map((cloud) => `${cloud}/${region}`)
    .find((name) => bundledRegion(name) !== undefined);
}

/**
 * Where nodes can be launched: the subnets of the NodeClasses in use or, if they have none, the zones of nodes and
 * NodePools, with AKSNodeClasses all of the region.
 * Zones with nodes that no NodeClass reaches are closed: their nodes still have a price. undefined if no zone is known.
 */
export function zonesOfCluster(facts: ClusterFacts, { cloud, region }: Location): readonly Zone[] | undefined {
  const { nodes, nodeClaims, nodePools, nodeClasses = [] } = facts;
  const used = nodeClasses.filter((each) =>
    nodePools.some(
      ({ nodeClass: { group, kind, name } }) => each.group === group && each.kind === kind && each.name === name,
    ),
  );
  // Local Zones have the region's name in theirs, too. Subnets elsewhere have none of its prices.
  const here = used.flatMap(({ zones }) => zones).filter(({ name }) => name.startsWith(region));
  const subnets = new Map(here.map((zone) => [zone.name, zone]));
  const running = new Map<string, Zone>();
  for (const { labels: given, providerId } of [...nodes, ...nodeClaims]) {
    const labels = canonicalLabels(given);
    const name = labelOf(labels, ZONE);
    if (name === undefined || locationOf(labels, providerId) !== `${cloud}/${region}`) continue;
    const id = labelOf(labels, ZONE_ID) ?? running.get(name)?.id;
    running.set(name, { name, ...(id === undefined ? {} : { id }) });
  }
  const wanted = zonesWanted(nodePools).filter((zone) => ofZone(zone) === `${cloud}/${region}`);
  const known = [...running.keys(), ...wanted];
  const open = subnets.size > 0 ? [...subnets.keys()] : [...known, ...zonesOfAzure(known, nodePools, region)];
  const names = [...new Set([...open, ...running.keys()])].sort();
  if (names.length === 0) return undefined;
  return names.map((name) => ({
    ...running.get(name),
    ...subnets.get(name),
    name,
    ...(open.includes(name) ? {} : { closed: true }),
  }));
}

/**
 * Subnets of Azure span all zones of a region, so that an AKSNodeClass reaches each. In a region without zones, no zone
 * is known. Subnets of Google Cloud span them too, but a GKE cluster has zones of its own, which only its nodes tell.
 */
function zonesOfAzure(known: readonly string[], pools: readonly NodePoolObject[], region: string): readonly string[] {
  const isZonal = known.some((zone) => AZURE_ZONES.some((number) => zone === `${region}-${number}`));
  const isAzure = pools.some(({ nodeClass }) => nodeClass.group === 'karpenter.azure.com');
  return isZonal && isAzure ? AZURE_ZONES.map((number) => `${region}-${number}`) : [];
}

const AZURE_ZONES = [1, 2, 3];

function zonesWanted(pools: readonly NodePoolObject[]): string[] {
  return pools.flatMap(({ requirements }) =>
    requirements.flatMap(({ key, operator, values = [] }) => (key === ZONE && operator === 'In' ? values : [])),
  );
}
