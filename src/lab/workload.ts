import { InputError, inputError } from '../config/input-error.ts';
import { readWorkloadFile, type WorkloadFile } from '../config/workload-file.ts';
import type { InstanceType, NodePoolObject } from '../engine/cluster/objects.ts';
import { fromSelectors, overlapOnSharedKeys } from '../engine/selection/requirements.ts';
import { ObjectCollection } from '../kube/decode/object-collection.ts';
import { parseTimestamp } from '../kube/decode/timestamp.ts';
import { DocumentReader } from '../kube/read/document-reader.ts';
import { SnapshotHeader } from '../kube/read/snapshot-header.ts';
import type { Scenario } from '../simulator/scenario.ts';
import { settingsOf } from './cluster-settings.ts';
import { appsOf, refuseImpossiblePods, refuseUndecodable } from './workload-apps.ts';

/** A Monday, so that simulated weeks start on one. */
const DEFAULT_START = '2026-03-02T00:00:00Z';

/** A catalog by name; undefined: the default catalog. */
export type CatalogLoader = (name: string | undefined) => Promise<readonly InstanceType[]>;

/** The scenario that a workload file describes. `source` is for messages. Throws InputError. */
export async function workloadScenario(
  document: unknown,
  source: string,
  loadCatalog: CatalogLoader,
): Promise<Scenario> {
  const reading = readWorkloadFile(document);
  if ('problems' in reading) throw inputError(reading.problems.map((each) => ({ ...each, object: source })));
  return scenarioOf(reading.file, source, loadCatalog);
}

async function scenarioOf(file: WorkloadFile, source: string, loadCatalog: CatalogLoader): Promise<Scenario> {
  const startMs = parseTimestamp(file.start ?? DEFAULT_START);
  if (startMs === undefined)
    throw inputError([
      { object: source, field: 'start', value: file.start, allowed: `an RFC 3339 time such as ${DEFAULT_START}` },
    ]);
  const collection = new ObjectCollection();
  const reader = new DocumentReader(source, collection, new SnapshotHeader());
  file.nodePools.forEach((pool, i) => {
    const status = { conditions: [{ type: 'Ready', status: 'True' }] };
    reader.item({ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', ...pool, status }, `nodePools[${i}]`);
  });
  const apps = appsOf(file.apps, source);
  const { objects } = collection.finish(startMs, new SnapshotHeader().options);
  refuseUndecodable(objects.undecodable, source);
  const settings = settingsOf(file.cluster ?? {});
  for (const [i, { nodePool }] of settings.drifts.entries()) {
    if (!objects.nodePools.some((p) => p.name === nodePool))
      throw inputError([
        { object: source, field: `cluster.drift[${i}].nodePool`, value: nodePool, allowed: 'a NodePool of the file' },
      ]);
  }
  const catalog = await loadCatalog(file.cluster?.catalog);
  const instanceTypes = launchable(catalog, objects.nodePools);
  if (instanceTypes.length === 0)
    throw new InputError(`${source}: nodePools: no instance type of the catalog meets their requirements`);
  const scenario: Scenario = {
    name: file.name,
    startMs,
    instanceTypes,
    options: { ...objects.options, spotToSpot: file.cluster?.spotToSpot ?? false },
    nodePools: objects.nodePools,
    apps,
    settings,
  };
  refuseImpossiblePods(scenario, source);
  return scenario;
}

/** Instance types that some NodePool can launch; a catalog has many more. */
export function launchable(types: readonly InstanceType[], pools: readonly NodePoolObject[]): readonly InstanceType[] {
  const wanted = pools.map((p) => fromSelectors(p.requirements));
  return types.filter((t) => {
    const offered = fromSelectors(t.requirements);
    return wanted.some((requirements) => overlapOnSharedKeys(offered, requirements));
  });
}
