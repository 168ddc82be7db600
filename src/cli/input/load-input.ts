import type { MetricsReading } from '../../catalog/karpenter-metrics.ts';
import { loadCatalog } from '../../catalog/load.ts';
import { poolsInZones } from '../../catalog/pool-zones.ts';
import { inputError } from '../../config/input-error.ts';
import type { PolicyObject } from '../../config/policy-object.ts';
import { priceCoverage } from '../../engine/cluster/node-price.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { WINDOWS } from '../../engine/cluster/well-known.ts';
import { parseTimestamp } from '../../kube/decode/timestamp.ts';
import { type LoadedCluster, loadCluster } from '../../kube/read/load.ts';
import type { RawInstanceTypes } from '../../kube/read/snapshot-header.ts';
import type { ApiClient } from '../../live/api-client.ts';
import { type ConnectionOptions, refuseCluster } from '../flags/connection.ts';
import type { InputFlags } from '../flags/input.ts';
import type { PlanningOptions } from '../flags/planning.ts';
import { UsageError } from '../flags/usage-error.ts';
import { complain } from '../output/terminal-text.ts';
import { givenKarpenter, type KarpenterFlags } from './given-karpenter.ts';
import { karpenterNotices } from './karpenter-notices.ts';
import { karpenterPrices } from './karpenter-prices.ts';
import { oddities } from './warnings.ts';

/** Which cluster a command is about, the same for all commands. */
export type InputOptions = InputFlags & KarpenterFlags & Pick<PlanningOptions, 'compat'>;

export interface Input {
  readonly cluster: ClusterObjects;
  /** Warnings for `tell`, once all input has been accepted. */
  readonly notices: readonly string[];
  /** For `tell` too: never change a decision. */
  readonly notes: readonly string[];
}

/** What a cluster or files have, before policies are applied to pools. */
export interface Reading extends Pick<LoadedCluster, 'objects' | 'nodeClasses'> {
  readonly policies: readonly PolicyObject[];
  /** Set if a snapshot contains its own catalog. */
  readonly instanceTypes?: RawInstanceTypes;
  /** Prices of Karpenter. */
  readonly metrics?: MetricsReading;
  readonly isLive: boolean;
  readonly notices: readonly string[];
  readonly notes: readonly string[];
}

/** A cluster with prices. Throws UsageError if too many nodes have none. */
export async function loadInput(options: InputOptions, reading?: Reading): Promise<Input> {
  const input = await readInput(options, reading);
  refuseUnpriced(input.cluster);
  return input;
}

/** A cluster, with or without prices. */
export async function readInput(options: InputOptions, given?: Reading): Promise<Input> {
  const reading = given ?? (await readObjects(options));
  const notices = [...reading.notices];
  const governed = await underPolicies(reading, notices);
  const objects = { ...governed, options: { ...governed.options, ...givenKarpenter(options) } };
  notices.push(
    ...oddities(objects, reading.isLive),
    ...karpenterNotices(objects, reading.isLive && options.compat === 'karpenter'),
  );
  const catalog = await loadCatalog({
    name: options.catalog,
    entries: reading.instanceTypes,
    karpenter: reading.metrics,
    cluster: { ...objects, nodeClasses: reading.nodeClasses },
    zones: options.zones?.split(',').map((zone) => zone.trim()),
    overlay: options.overlay,
    unavailable: options.unavailable,
    warn: (message) => notices.push(message),
  });
  const cluster = {
    ...objects,
    nodePools: poolsInZones(objects.nodePools, catalog.zonesByPool),
    instanceTypes: catalog.types,
    prices: catalog.origin,
  };
  return { cluster, notices, notes: reading.notes };
}

/** Reads files, or the cluster of the kubeconfig, and the prices of Karpenter. */
export async function readObjects(options: InputOptions): Promise<Reading> {
  const { file: files = [] } = options;
  const nowMs = options.now === undefined ? undefined : timeOf(options.now);
  const { client, ...read } = files.length > 0 ? await inFiles(files, options, nowMs) : await inCluster(options, nowMs);
  // A snapshot contains its prices.
  const { karpenter, notices } = await karpenterPrices(options, client);
  return { ...read, metrics: karpenter, isLive: client !== undefined, notices: [...read.notices, ...notices] };
}

type Read = Omit<Reading, 'metrics' | 'isLive'> & { readonly client?: ApiClient };

async function inFiles(
  files: readonly string[],
  connection: ConnectionOptions,
  nowMs: number | undefined,
): Promise<Read> {
  refuseCluster(connection);
  const { warnings, ignoredKinds, ...loaded } = await loadCluster(files, { nowMs });
  const notes = ignoredKinds.size === 0 ? [] : [`ignored ${ignoredText(ignoredKinds)}`];
  return { ...loaded, notices: warnings, notes };
}

async function inCluster(connection: ConnectionOptions, nowMs: number | undefined): Promise<Read> {
  const { readCluster } = await import('./read-cluster.ts');
  const { warnings, ...read } = await readCluster(connection, nowMs);
  return { ...read, notices: warnings, notes: [] };
}

/** A ConsolidationPolicy takes precedence over the pool's own block. */
async function underPolicies({ objects, policies, isLive }: Reading, notices: string[]): Promise<Reading['objects']> {
  if (policies.length === 0) return objects;
  const [{ objectProblems }, { poolsUnderPolicies }, { refused }] = await Promise.all([
    import('../../config/policy-object.ts'),
    import('../../live/pools-under-policies.ts'),
    import('./rules.ts'),
  ]);
  const problems = isLive ? [] : policies.flatMap(objectProblems);
  if (problems.length > 0) throw refused(problems);
  const { pools, warnings } = poolsUnderPolicies({ ...objects, instanceTypes: [] }, policies);
  notices.push(...warnings);
  return { ...objects, nodePools: pools };
}

/** Kinds listed by name; a full dump has dozens of irrelevant ones. */
const MOST_KINDS = 3;

function ignoredText(kinds: ReadonlyMap<string, number>): string {
  if (kinds.size <= MOST_KINDS) return [...kinds].map(([kind, n]) => `${n} × ${kind}`).join(', ');
  const objects = [...kinds.values()].reduce((sum, n) => sum + n, 0);
  return `${objects} objects of ${kinds.size} kinds that decisions do not use, such as ${[...kinds.keys()][0]}`;
}

const MOST_UNPRICED_PERCENT = 10;

/** Throws UsageError, with remedies, if too large a part of the cost is unknown. */
function refuseUnpriced(cluster: ClusterObjects): void {
  const { of, nodes, unpriced, unpricedVcpuPercent, example } = priceCoverage(cluster);
  if (unpricedVcpuPercent <= MOST_UNPRICED_PERCENT) return;
  const share = `${unpriced} of ${nodes} ${of} (${Math.round(unpricedVcpuPercent)} % of their vCPUs)`;
  throw new UsageError(`${share} have no price, such as ${example}: ${remedyFor(cluster, example)}`);
}

function remedyFor({ prices }: ClusterObjects, example: string): string {
  const unlocated = prices?.warnings?.find((warning) => warning.includes('--catalog'));
  if (unlocated !== undefined) return unlocated;
  // An overlay changes prices of types that the catalog has.
  if (example.endsWith(WINDOWS))
    return 'add prices of Windows with --overlay, by instance type, or name a catalog with --catalog';
  return prices?.name === 'karpenter'
    ? 'the metrics of Karpenter do not have it; are they of this cluster?'
    : 'name a catalog that has it with --catalog, or give the metrics of Karpenter (AWS) with --prices';
}

function timeOf(now: string): number {
  const ms = parseTimestamp(now);
  if (ms === undefined)
    throw inputError([
      { object: 'command line', field: '--now', value: now, allowed: 'an RFC 3339 time such as 2026-08-20T12:00:00Z' },
    ]);
  return ms;
}

/** More are summarised; a partial dump has thousands. */
const MAX_NOTICES = 10;

/** Called late: if input is refused, only the refusal is printed. */
export function tell(notices: readonly string[], notes: readonly string[] = []): void {
  for (const note of notes) complain(`note: ${note}`);
  for (const notice of notices.slice(0, MAX_NOTICES)) complain(`warning: ${notice}`);
  const more = notices.length - MAX_NOTICES;
  if (more > 0) complain(`and ${more} more warnings`);
}
