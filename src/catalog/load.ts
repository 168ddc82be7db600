import { readFile } from 'node:fs/promises';
import { nearest } from '../config/did-you-mean.ts';
import { parseDocument } from '../config/parse-document.ts';
import type { InstanceType } from '../engine/cluster/objects.ts';
import type { PriceOrigin } from '../engine/cluster/price-origin.ts';
import { AUTO_MODE } from './aws-types.ts';
import { awsTypesIn, bundledCatalog } from './bundled-catalog.ts';
import { CatalogError, reject } from './catalog-error.ts';
import { type ClusterFacts, type Location, locate, zonesOfCluster } from './cluster-location.ts';
import { withKarpenterPrices, withUnadjustedPrices } from './karpenter-catalog.ts';
import type { KarpenterPrices, MetricsReading } from './karpenter-metrics.ts';
import { decodeInstanceTypes } from './kwok-format.ts';
import { withObservedSizes } from './observed-sizes.ts';
import { zonesIn } from './offerings.ts';
import { unseenNodeClasses, type ZonesByPool, zonesByPool } from './pool-zones.ts';
import { applyPriceOverlay, decodePriceOverlay } from './price-overlay.ts';
import { isEdgeZone } from './region-offerings.ts';
import { bundledNames, bundledRegion } from './region-table.ts';
import { applyUnavailable, decodeUnavailable, onlyInZones } from './unavailable-offerings.ts';
import { readFields, readList, refuseOtherFields } from './untyped.ts';

/** If the cluster's location is unknown. */
const DEFAULT_REGION: Location = { cloud: 'aws', region: 'us-east-1' };
const API_VERSION = 'decant.sh/v1alpha1';

export interface CatalogSpec {
  /** `karpenter`, a bundled table such as `aws/eu-west-1`, or a file; takes precedence. */
  readonly name?: string;
  /** `instanceTypes` of a snapshot, and their origin. */
  readonly entries?: { readonly source: string; readonly entries: readonly unknown[]; readonly origin?: PriceOrigin };
  /** Karpenter's metrics; take precedence over the bundled tables. */
  readonly karpenter?: MetricsReading;
  /** The catalog's cluster: determines region, zones and sizes. */
  readonly cluster?: ClusterFacts;
  /** Zones in which nodes can be launched; overrides the cluster's. */
  readonly zones?: readonly string[];
  /** File with price changes. */
  readonly overlay?: string;
  /** File with offerings that cannot be launched. */
  readonly unavailable?: string;
  /** Receives warnings, such as a rule that matches nothing. */
  readonly warn?: (message: string) => void;
}

export interface Catalog {
  readonly types: readonly InstanceType[];
  readonly origin: PriceOrigin;
  /** Pools that cannot launch nodes in every zone of the catalog. */
  readonly zonesByPool?: ZonesByPool;
}

/** Finds a catalog and applies the files that change it. Throws CatalogError for invalid input. */
export async function loadCatalog(spec: CatalogSpec): Promise<Catalog> {
  const { overlay, unavailable, warn = () => {} } = spec;
  const { types: found, origin } = await findCatalog(spec);
  let types = found;
  if (spec.zones !== undefined) {
    const known = zonesIn(types);
    for (const zone of spec.zones)
      if (!known.includes(zone)) warn(`zone ${zone || '""'} is not in the catalog, which has ${known.join(', ')}`);
    types = onlyInZones(types, spec.zones);
  }
  if (overlay !== undefined) {
    const document = listIn(await readDocument(overlay), overlay, 'CatalogOverlay', 'overlays');
    const result = applyPriceOverlay(types, decodePriceOverlay(overlay, document));
    for (const rule of result.unmatched) warn(`${rule.where}: matches no offering of the catalog`);
    types = result.types;
  }
  if (unavailable !== undefined) {
    const document = listIn(await readDocument(unavailable), unavailable, 'UnavailableOfferings', 'offerings');
    const result = applyUnavailable(types, decodeUnavailable(unavailable, document));
    for (const rule of result.unmatched) warn(`${rule.where}: matches no offering of the catalog`);
    types = result.types;
  }
  const { cluster, zones } = spec;
  const ofPools = cluster === undefined || zones !== undefined ? undefined : zonesByPool(cluster);
  return {
    types,
    origin: overlay === undefined ? origin : { ...origin, name: `${origin.name} + overlay ${overlay}` },
    ...(ofPools === undefined || ofPools.size === 0 ? {} : { zonesByPool: ofPools }),
  };
}

async function findCatalog(spec: CatalogSpec): Promise<Catalog> {
  const { name, entries, karpenter } = spec;
  if (name === undefined && entries !== undefined) {
    const types = decodeInstanceTypes(entries.source, entries.entries);
    return { types, origin: entries.origin ?? { name: 'snapshot' } };
  }
  const prices = karpenter !== undefined && 'prices' in karpenter ? karpenter.prices : undefined;
  if (name === 'karpenter' || (name === undefined && prices !== undefined)) {
    if (prices === undefined) throw new CatalogError('catalog karpenter: no prices in the metrics of Karpenter');
    return fromKarpenter(prices, spec.cluster);
  }
  const bundled = name === undefined ? undefined : bundledRegion(name);
  if (name !== undefined && bundled === undefined) {
    return { types: await readCatalogFile(name), origin: { name: `catalog ${name}` } };
  }
  const { types, origin } = fromTables(spec, bundled);
  if (karpenter === undefined || 'prices' in karpenter || karpenter.costByPool.size === 0) return { types, origin };
  return { types, origin: { ...origin, dollarsByPool: Object.fromEntries(karpenter.costByPool) } };
}

function fromTables({ cluster, zones: wanted, warn }: CatalogSpec, named: Location | undefined): Catalog {
  const found = cluster === undefined ? undefined : locate(cluster);
  const located = found === undefined ? undefined : bundledRegion(found);
  const location = named ?? located ?? DEFAULT_REGION;
  const known = cluster === undefined ? undefined : zonesOfCluster(cluster, location);
  const isFound = named !== undefined || located !== undefined || cluster === undefined;
  const edges = (known ?? []).map((zone) => zone.name).filter((zone) => isEdgeZone(zone, location.region));
  const warnings = [
    ...(isFound ? [] : [unlocated(found, `${location.cloud}/${location.region}`)]),
    ...(edges.length === 0 ? [] : [`no prices of ${edges.join(', ')} are bundled: using those of ${location.region}`]),
  ];
  if (cluster !== undefined && wanted === undefined) for (const text of unseenNodeClasses(cluster)) warn?.(text);
  const table = bundledCatalog({
    ...location,
    zones: wanted === undefined ? known : known?.map(({ closed: _, ...zone }) => zone),
    everyZone: wanted !== undefined,
    labelPrefix: cluster === undefined ? undefined : labelPrefixOf(cluster),
  });
  return {
    types: cluster === undefined ? table.types : withObservedSizes(table.types, cluster.nodes),
    origin: {
      name: `bundled ${table.name} ${table.onDemandAsOf}`,
      atMs: Date.parse(table.spotAsOf < table.onDemandAsOf ? table.spotAsOf : table.onDemandAsOf),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  };
}

function unlocated(found: string | undefined, used: string): string {
  return found === undefined
    ? `no node has a region label: prices are those of ${used}; name another catalog with --catalog`
    : `no prices of ${found} are bundled: give a catalog with --catalog${found.startsWith('aws/') ? ', or the metrics of Karpenter with --prices' : ''}`;
}

function fromKarpenter(prices: KarpenterPrices, cluster: ClusterFacts | undefined): Catalog {
  const region = regionOf(prices) ?? DEFAULT_REGION.region;
  const labelPrefix = cluster === undefined ? undefined : labelPrefixOf(cluster);
  const overlaid =
    cluster?.options?.nodeOverlays !== false && cluster?.nodeOverlays?.some(({ price }) => price !== undefined);
  const { types: metered, origin } = withKarpenterPrices(awsTypesIn(region, labelPrefix), prices);
  const types = overlaid && cluster !== undefined ? withUnadjustedPrices(metered, listedIn(region), cluster) : metered;
  return { types: cluster === undefined ? types : withObservedSizes(types, cluster.nodes), origin };
}

/** Types with list prices; none of a region that is not bundled. */
function listedIn(region: string): readonly InstanceType[] {
  const bundled = bundledRegion(`aws/${region}`);
  return bundled === undefined ? [] : bundledCatalog(bundled).types;
}

/** By the first zone that is named after its region; Local Zones are not. */
function regionOf({ offerings }: KarpenterPrices): string | undefined {
  for (const { zone } of [...offerings.values()].flat()) {
    const region = /^([a-z]+(?:-[a-z]+)+-\d+)[a-z]$/.exec(zone)?.[1];
    if (region !== undefined) return region;
  }
  return undefined;
}

/** Labels of EKS Auto Mode, if its NodeClass is in use. */
function labelPrefixOf({ nodePools }: ClusterFacts): string | undefined {
  const isAutoMode = nodePools.some(({ nodeClass }) => nodeClass.group === 'eks.amazonaws.com');
  return isAutoMode ? AUTO_MODE : undefined;
}

async function readCatalogFile(file: string): Promise<InstanceType[]> {
  const entries = listIn(await readCatalogDocument(file), file, 'Catalog', 'instanceTypes');
  if (entries.length === 0) throw new CatalogError(`${file}: has no instance types`);
  return decodeInstanceTypes(file, entries);
}

async function readCatalogDocument(name: string): Promise<unknown> {
  try {
    return await readDocument(name);
  } catch (error) {
    // "aws/eu-west-9" means a bundled catalog, not a file.
    const cloud = /^([a-z]+)\/[a-z0-9-]+$/.exec(name)?.[1];
    if (!(error instanceof CatalogError) || cloud === undefined) throw error;
    const regions = bundledNames().filter((each) => each.startsWith(`${cloud}/`));
    const bundled = regions.length > 0 ? `${regions.length} regions of ${cloud}` : 'regions of aws, azure and gcp';
    const meant = nearest(name, regions);
    const question = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw new CatalogError(`catalog ${name}: no such file, and not one of the bundled ${bundled}${question}`);
  }
}

/** The list that a document is, or has in its field: bare, or with apiVersion and kind. */
function listIn(document: unknown, file: string, kind: string, field: string): readonly unknown[] {
  if (Array.isArray(document)) return document;
  const fields = readFields(document, file);
  const apiVersion = fields.get('apiVersion') ?? API_VERSION;
  if (apiVersion !== API_VERSION) reject(`${file}: apiVersion`, apiVersion, API_VERSION);
  if ((fields.get('kind') ?? kind) !== kind) reject(`${file}: kind`, fields.get('kind'), kind);
  // A snapshot is a catalog too and has other fields; a document with a kind may not.
  if (fields.has('kind')) refuseOtherFields(fields, ['apiVersion', 'kind', 'metadata', field], file);
  return readList(fields.get(field), `${file}: ${field}`);
}

async function readDocument(file: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    // Without the code, the call and a second copy of the path.
    const reason = (error as Error).message.replace(/^[A-Z]+: |, \w+( '.*')?$/g, '');
    throw new CatalogError(`${file}: cannot be read: ${reason}`);
  }
  return parseDocument(text, file);
}
