import { decodeInstanceTypes } from '../catalog/kwok-format.ts';
import { type Compat, compatVersion } from '../config/compat.ts';
import { inputError } from '../config/input-error.ts';
import { readPoolPolicy } from '../config/read-pool-policy.ts';
import type { ClusterObjects } from '../engine/cluster/objects.ts';
import type { PoolPolicy } from '../engine/disruption/pool-policy.ts';
import { runningKarpenter } from '../engine/running-karpenter.ts';
import { DEFAULT_SETTINGS, type Rules, type Settings, STOCK_RULES, stockPolicy } from '../engine/settings.ts';
import { ObjectCollection } from '../kube/decode/object-collection.ts';
import { DocumentReader } from '../kube/read/document-reader.ts';
import { SnapshotHeader } from '../kube/read/snapshot-header.ts';

/** A cluster at one moment, as `decant snapshot` writes it: parsed JSON. */
export interface Snapshot {
  /** RFC 3339. */
  readonly now: string;
  /** Entries of Karpenter's KWOK format; docs/catalog-files.md has the additions. */
  readonly instanceTypes: readonly unknown[];
  /** Kubernetes objects, or lists of them. */
  readonly objects: readonly unknown[];
}

/** The source named in messages. */
const SOURCE = 'snapshot';

/** Throws an error that names object, field, value and what is allowed. */
export function objectsOf(snapshot: Snapshot): ClusterObjects {
  const collection = new ObjectCollection();
  const header = new SnapshotHeader();
  new DocumentReader(SOURCE, collection, header).document(snapshot, SOURCE);
  if (header.nowMs === undefined)
    throw inputError([{ object: SOURCE, field: 'now', value: undefined, allowed: 'an RFC 3339 time' }]);
  const { objects } = collection.finish(header.nowMs, header.options, header.undecodable);
  const { entries = [], origin } = header.catalog() ?? {};
  const instanceTypes = decodeInstanceTypes(SOURCE, entries);
  return { ...objects, instanceTypes, ...(origin === undefined ? {} : { prices: origin }) };
}

/** The policies of the NodePools under these settings. */
export function rulesOf(
  { nodePools, workloads, karpenterSchema }: ClusterObjects,
  compat: Compat | undefined,
  settings: Partial<Settings>,
): Rules {
  if (compat !== undefined) {
    const karpenter = compatVersion(compat, runningKarpenter(workloads, karpenterSchema)?.closest);
    return { ...STOCK_RULES, settings: { ...STOCK_RULES.settings, karpenter, ...settings } };
  }
  const policies = new Map<string, PoolPolicy>();
  for (const { name, disruption } of nodePools) {
    const reading = readPoolPolicy(`${SOURCE}: NodePool/${name}`, disruption);
    if ('problems' in reading) throw inputError(reading.problems);
    policies.set(name, reading.policy);
  }
  return {
    settings: { ...DEFAULT_SETTINGS, ...settings },
    policyOf: (pool) => policies.get(pool.name) ?? stockPolicy(pool),
  };
}
