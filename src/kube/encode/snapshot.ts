import { writeInstanceType } from '../../catalog/kwok-entry.ts';
import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import type { PriceOrigin } from '../../engine/cluster/price-origin.ts';
import type { UndecodableObject } from '../../engine/cluster/undecodable.ts';
import { DEFAULT_OPTIONS } from '../decode/karpenter-options.ts';
import { writeCapacityBuffer } from './capacity-buffer.ts';
import { nothingLeft, unlessEmpty, type Written } from './metadata.ts';
import { writeNode, writeNodeClaim, writeNodePool } from './node.ts';
import { writeNodeOverlay } from './node-overlay.ts';
import { writeDaemonSet, writePod, writePodDisruptionBudget } from './pod.ts';
import { writePodTemplate } from './pod-template.ts';
import { writeCsiNode, writePersistentVolume, writePersistentVolumeClaim, writeStorageClass } from './storage.ts';
import { timeText } from './time-text.ts';
import { writeAutoscaler, writeNamespace, writeService, writeWorkload } from './workload.ts';

export interface SnapshotDocument {
  readonly now: string;
  readonly options?: Written;
  /** Objects that could not be decoded, so that decisions stay conservative about them. */
  readonly undecodable?: readonly UndecodableObject[];
  readonly prices?: Written;
  readonly instanceTypes: readonly Written[];
  /** Generated one by one: a large cluster as JSON does not fit in one string. */
  readonly objects: Iterable<Written>;
}

/**
 * The cluster as a snapshot file. It contains only what the engine knows, so that no field that decisions do not need
 * can leak: environment variables, annotations, secrets.
 */
export function writeSnapshot(cluster: ClusterObjects): SnapshotDocument {
  return {
    now: timeText(cluster.nowMs),
    options: writeOptions(cluster.options),
    ...(cluster.undecodable.length === 0 ? {} : { undecodable: cluster.undecodable }),
    // A snapshot taken from a snapshot without price origin has none either.
    ...(cluster.prices === undefined || cluster.prices.name === 'snapshot'
      ? {}
      : { prices: writePriceOrigin(cluster.prices) }),
    instanceTypes: cluster.instanceTypes.map((type) => writeInstanceType(type, 'snapshot')),
    objects: objectsOf(cluster),
  };
}

function writeOptions({
  spotToSpot,
  reservedCapacity,
  preferences,
  minValues,
  capacityBuffers,
  nodeOverlays,
  managesDeletionCost,
  defaultSpread,
  dynamicResources,
  ...rest
}: KarpenterOptions) {
  nothingLeft(rest);
  const gates = [
    ...(spotToSpot === DEFAULT_OPTIONS.spotToSpot ? [] : [`SpotToSpotConsolidation=${spotToSpot}`]),
    ...(reservedCapacity === DEFAULT_OPTIONS.reservedCapacity ? [] : [`ReservedCapacity=${reservedCapacity}`]),
    ...(capacityBuffers === undefined ? [] : [`CapacityBuffer=${capacityBuffers}`]),
    ...(nodeOverlays === undefined ? [] : [`NodeOverlay=${nodeOverlays}`]),
    ...(managesDeletionCost === undefined ? [] : [`PodDeletionCostManagement=${managesDeletionCost}`]),
  ];
  return unlessEmpty({
    featureGates: gates.length === 0 ? undefined : gates.join(','),
    preferencePolicy: preferences === DEFAULT_OPTIONS.preferences ? undefined : preferences,
    minValuesPolicy: minValues === DEFAULT_OPTIONS.minValues ? undefined : minValues,
    ignoreDRARequests: dynamicResources === true ? false : undefined,
    schedulerConfig: defaultSpread && { podTopologySpread: { defaultConstraints: defaultSpread } },
  });
}

function writePriceOrigin({ name, atMs, warnings, dollarsByPool, ...rest }: PriceOrigin): Written {
  nothingLeft(rest);
  return { source: name, at: atMs === undefined ? undefined : timeText(atMs), warnings, dollarsByPool };
}

function* objectsOf(cluster: ClusterObjects): Generator<Written> {
  const {
    nowMs,
    options: _1,
    instanceTypes: _2,
    prices: _6,
    karpenterSchema: _7,
    plannedDestinations: _8,
    namespaces,
    nodePools,
    nodeClaims,
    nodes,
    ...more
  } = cluster;
  const { storageClasses, csiNodes, persistentVolumes, persistentVolumeClaims, ...workloads } = more;
  const {
    daemonSets,
    podDisruptionBudgets,
    workloads: controllers,
    services,
    podTemplates,
    capacityBuffers,
    nodeOverlays,
    autoscalers = [],
    pods,
    undecodable: _3,
    ...rest
  } = workloads;
  nothingLeft(rest);
  for (const each of namespaces) yield writeNamespace(each);
  for (const each of nodePools) yield writeNodePool(each, nowMs);
  for (const each of nodeOverlays) yield writeNodeOverlay(each);
  for (const each of nodeClaims) yield writeNodeClaim(each, nowMs);
  for (const each of nodes) yield writeNode(each, nowMs);
  for (const each of storageClasses) yield writeStorageClass(each);
  for (const each of csiNodes) yield writeCsiNode(each);
  for (const each of persistentVolumes) yield writePersistentVolume(each, nowMs);
  for (const each of persistentVolumeClaims) yield writePersistentVolumeClaim(each, nowMs);
  for (const each of daemonSets) yield writeDaemonSet(each);
  for (const each of podDisruptionBudgets) yield writePodDisruptionBudget(each);
  for (const each of controllers) yield writeWorkload(each);
  for (const each of services) yield writeService(each);
  for (const each of podTemplates) yield writePodTemplate(each);
  for (const each of autoscalers) yield writeAutoscaler(each);
  for (const each of capacityBuffers) yield writeCapacityBuffer(each);
  for (const each of pods) yield writePod(each, nowMs);
}
