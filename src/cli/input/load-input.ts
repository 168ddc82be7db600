import { loadCatalog } from '../../catalog/load.ts';
import { inputError } from '../../config/input-error.ts';
import type { PolicyObject } from '../../config/policy-object.ts';
import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { parseTimestamp } from '../../kube/decode/timestamp.ts';
import { loadCluster } from '../../kube/read/load.ts';
import type { RawInstanceTypes } from '../../kube/read/snapshot-header.ts';
import { type ConnectionOptions, refuseCluster } from '../flags/connection.ts';
import { complain } from '../output/terminal-text.ts';
import { oddities } from './warnings.ts';

/** What says which cluster a command is about, the same for every command that looks at one. */
export interface InputOptions extends ConnectionOptions {
  readonly file?: readonly string[];
  readonly catalog?: string;
  readonly overlay?: string;
  readonly unavailable?: string;
  /** RFC 3339. */
  readonly now?: string;
  readonly spotToSpot?: true;
  readonly preferencePolicy?: KarpenterOptions['preferences'];
}

export interface Input {
  readonly cluster: ClusterObjects;
  /** For `tell`, once the rest of the input has been accepted too. */
  readonly notices: readonly string[];
}

interface Objects {
  readonly objects: Omit<ClusterObjects, 'instanceTypes'>;
  /** If a snapshot brought its own catalog. */
  readonly instanceTypes?: RawInstanceTypes;
  readonly notices: readonly string[];
}

export async function loadInput(options: InputOptions): Promise<Input> {
  const { file: files = [] } = options;
  const nowMs = options.now === undefined ? undefined : timeOf(options.now);
  const given = files.length > 0 ? await inFiles(files, options, nowMs) : await inCluster(options, nowMs);
  const { objects, instanceTypes } = given;
  const notices = [...given.notices, ...oddities(objects)];
  const catalog = await loadCatalog({
    name: options.catalog,
    entries: instanceTypes,
    overlay: options.overlay,
    unavailable: options.unavailable,
    warn: (message) => notices.push(message),
  });
  const own = objects.options;
  const karpenter = {
    ...own,
    spotToSpot: options.spotToSpot ?? own.spotToSpot,
    preferences: options.preferencePolicy ?? own.preferences,
  };
  return { cluster: { ...objects, options: karpenter, instanceTypes: catalog }, notices };
}

async function inFiles(
  files: readonly string[],
  connection: ConnectionOptions,
  nowMs: number | undefined,
): Promise<Objects> {
  refuseCluster(connection);
  const { objects: read, instanceTypes, policies, warnings, ignoredKinds } = await loadCluster(files, { nowMs });
  const notices = [...warnings];
  const objects = policies.length === 0 ? read : await governed(read, policies, notices);
  if (ignoredKinds.size > 0) {
    notices.push(`ignored ${[...ignoredKinds].map(([kind, n]) => `${n} × ${kind}`).join(', ')}`);
  }
  return { objects, instanceTypes, notices };
}

/** As in a live cluster: a ConsolidationPolicy that selects a pool goes before the pool's own block. */
async function governed(
  objects: Objects['objects'],
  policies: readonly PolicyObject[],
  notices: string[],
): Promise<Objects['objects']> {
  const [{ objectProblems }, { poolsUnderPolicies }, { refused }] = await Promise.all([
    import('../../config/policy-object.ts'),
    import('../../live/pools-under-policies.ts'),
    import('./rules.ts'),
  ]);
  const problems = policies.flatMap(objectProblems);
  if (problems.length > 0) throw refused(problems);
  const { pools, warnings } = poolsUnderPolicies({ ...objects, instanceTypes: [] }, policies);
  notices.push(...warnings);
  return { ...objects, nodePools: pools };
}

async function inCluster(connection: ConnectionOptions, nowMs: number | undefined): Promise<Objects> {
  const { readCluster } = await import('./read-cluster.ts');
  const { objects, warnings } = await readCluster(connection, nowMs);
  return { objects, notices: warnings };
}

function timeOf(now: string): number {
  const ms = parseTimestamp(now);
  if (ms === undefined)
    throw inputError([
      { object: 'command line', field: '--now', value: now, allowed: 'an RFC 3339 time such as 2026-08-20T12:00:00Z' },
    ]);
  return ms;
}

/** One by one up to here; a dump of half a cluster has thousands of them. */
const MAX_NOTICES = 10;

/** Called late: where input is refused, the refusal is all there is to read. */
export function tell(notices: readonly string[]): void {
  for (const notice of notices.slice(0, MAX_NOTICES)) complain(`warning: ${notice}`);
  const more = notices.length - MAX_NOTICES;
  if (more > 0) complain(`and ${more} more warnings`);
}
