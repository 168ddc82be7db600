import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { type Fields, fields, type Row, rows, shared, time } from '../read/json-shape.ts';
import { AUTOSCALER, decodeAutoscaler } from './autoscaler.ts';
import { CAPACITY_BUFFER, decodeCapacityBuffer } from './capacity-buffer.ts';
import { CONSOLIDATION_POLICY } from './consolidation-policy.ts';
import { DAEMON_SET } from './daemon-set.ts';
import type { Decoders } from './decoders.ts';
import { decodePodDisruptionBudget, POD_DISRUPTION_BUDGET } from './disruption-budget.ts';
import { DEVICE_CLASS, RESOURCE_CLAIM, RESOURCE_SLICE } from './dynamic-resources.ts';
import { decodeNamespace, NAMESPACE_SHAPE } from './namespace.ts';
import { NODE } from './node.ts';
import { NODE_CLAIM } from './node-claim.ts';
import { NODE_CLASS } from './node-class.ts';
import { decodeNodeOverlay, NODE_OVERLAY } from './node-overlay.ts';
import { decodeNodePool, NODE_POOL } from './node-pool.ts';
import { POD } from './pod.ts';
import { POD_TEMPLATE } from './pod-template.ts';
import { PRIORITY_CLASS_SHAPE } from './priority-class.ts';
import { decodeService, SERVICE } from './service.ts';
import {
  CSI_NODE,
  decodeCsiNode,
  decodePersistentVolume,
  decodePersistentVolumeClaim,
  decodeStorageClass,
  PERSISTENT_VOLUME,
  PERSISTENT_VOLUME_CLAIM,
  STORAGE_CLASS,
} from './storage.ts';
import { CRON_JOB, DEPLOYMENT, JOB, SCALABLE, WORKLOAD } from './workload.ts';

export type KnownKind = keyof typeof KINDS;

/** The kinds that decisions depend on: API group ('' is core), the fields that are read, and what they become. */
const KINDS = {
  Pod: listed('', POD, 'pods', (row, { pods }) => pods.decode(row)),
  Node: listed('', NODE, 'nodes', (row, { nodes }) => nodes.decode(row)),
  NodePool: listed('karpenter.sh', NODE_POOL, 'nodePools', decodeNodePool),
  NodeClaim: listed('karpenter.sh', NODE_CLAIM, 'nodeClaims', (row, { nodeClaims }) => nodeClaims.decode(row)),
  PodDisruptionBudget: listed('policy', POD_DISRUPTION_BUDGET, 'podDisruptionBudgets', decodePodDisruptionBudget),
  DaemonSet: listed('apps', DAEMON_SET, 'daemonSets', (row, { daemonSets }) => daemonSets.decode(row)),
  Deployment: listed('apps', DEPLOYMENT, 'workloads', decodeWorkload),
  ReplicaSet: listed('apps', SCALABLE, 'workloads', decodeWorkload),
  StatefulSet: listed('apps', SCALABLE, 'workloads', decodeWorkload),
  ReplicationController: listed('', WORKLOAD, 'workloads', decodeWorkload),
  Job: listed('batch', JOB, 'workloads', decodeWorkload),
  CronJob: listed('batch', CRON_JOB, 'workloads', decodeWorkload),
  HorizontalPodAutoscaler: listed('autoscaling', AUTOSCALER, 'autoscalers', decodeAutoscaler),
  Service: listed('', SERVICE, 'services', decodeService),
  PodTemplate: listed('', POD_TEMPLATE, 'podTemplates', (row, { podTemplates }) => podTemplates.decode(row)),
  NodeOverlay: listed('karpenter.sh', NODE_OVERLAY, 'nodeOverlays', decodeNodeOverlay),
  CapacityBuffer: listed('autoscaling.x-k8s.io', CAPACITY_BUFFER, 'capacityBuffers', decodeCapacityBuffer),
  PersistentVolume: listed('', PERSISTENT_VOLUME, 'persistentVolumes', decodePersistentVolume),
  PersistentVolumeClaim: listed('', PERSISTENT_VOLUME_CLAIM, 'persistentVolumeClaims', decodePersistentVolumeClaim),
  StorageClass: listed('storage.k8s.io', STORAGE_CLASS, 'storageClasses', decodeStorageClass),
  CSINode: listed('storage.k8s.io', CSI_NODE, 'csiNodes', decodeCsiNode),
  Namespace: listed('', NAMESPACE_SHAPE, 'namespaces', decodeNamespace),
  PriorityClass: { group: 'scheduling.k8s.io', shape: PRIORITY_CLASS_SHAPE },
  ResourceClaim: { group: 'resource.k8s.io', shape: RESOURCE_CLAIM },
  ResourceSlice: { group: 'resource.k8s.io', shape: RESOURCE_SLICE },
  DeviceClass: { group: 'resource.k8s.io', shape: DEVICE_CLASS },
  EC2NodeClass: { group: 'karpenter.k8s.aws', shape: NODE_CLASS },
  NodeClass: { group: 'eks.amazonaws.com', shape: NODE_CLASS },
  ConsolidationPolicy: { group: 'decant.sh', shape: CONSOLIDATION_POLICY },
} as const satisfies Record<string, { group: string; shape: Fields }>;

/** Lists of a cluster that are made of one kind of objects, or of several alike. */
type ListName = Exclude<
  {
    [K in keyof ClusterObjects]-?: Required<ClusterObjects>[K] extends readonly unknown[] ? K : never;
  }[keyof ClusterObjects],
  'instanceTypes' | 'undecodable'
>;

export interface ListedKind<L extends ListName = ListName> {
  readonly group: string;
  readonly shape: Fields;
  /** The list of `ClusterObjects` that its objects are in. */
  readonly list: L;
  decode(row: Row, decoders: Decoders): NonNullable<ClusterObjects[L]>[number];
}

/** Kinds of which every object is in a list. */
export type ListedKindName = {
  [K in KnownKind]: (typeof KINDS)[K] extends { list: ListName } ? K : never;
}[KnownKind];

function listed<L extends ListName>(
  group: string,
  shape: Fields,
  list: L,
  decode: ListedKind<L>['decode'],
): ListedKind<L> {
  return { group, shape, list, decode };
}

function decodeWorkload(row: Row, { workloads }: Decoders): ReturnType<Decoders['workloads']['decode']> {
  return workloads.decode(row);
}

export function listedKind<K extends ListedKindName>(kind: K): (typeof KINDS)[K] {
  return KINDS[kind];
}

export function isListed(kind: KnownKind): kind is ListedKindName {
  return 'list' in KINDS[kind];
}

/** Kinds of Karpenter before v1, whose fields have other meanings. */
const OLD_KARPENTER_KINDS = new Set(['NodePool', 'NodeClaim', 'Provisioner', 'Machine']);

const IGNORED = fields({ apiVersion: shared(), kind: shared() });

export function shapeOfKind(kind: string): Fields {
  return isKnown(kind) ? KINDS[kind].shape : IGNORED;
}

/** As `shapeOfKind`, with the times of `managedFields`: the newest of all tells when a file was taken. */
export function shapeInFile(kind: string): Fields {
  const shape = shapeOfKind(kind);
  let timed = TIMED.get(shape);
  if (timed === undefined) {
    const metadata = shape.members.get('metadata');
    timed =
      metadata?.op === 'fields'
        ? fields({
            ...Object.fromEntries(shape.members),
            metadata: fields({ ...Object.fromEntries(metadata.members), managedFields: rows(MANAGED) }),
          })
        : shape;
    TIMED.set(shape, timed);
  }
  return timed;
}

/** The newest time of `managedFields` in a row of a file; 0 if there is none. */
export function managedMs(row: Row): number {
  const entries = (row.managedFields ?? []) as readonly Row[];
  return entries.reduce((newest, { time }) => Math.max(newest, (time as number | undefined) ?? 0), 0);
}

const MANAGED = fields({ time: time() });
const TIMED = new Map<Fields, Fields>();

function isKnown(kind: string): kind is KnownKind {
  return Object.hasOwn(KINDS, kind);
}

/** The kind to decode the row as; undefined if it is not read. Without an apiVersion, the kind alone decides. */
export function knownKindOf(row: Row): KnownKind | 'old-karpenter' | undefined {
  const kind = row.kind as string;
  const apiVersion = row.apiVersion;
  const [group, version] = typeof apiVersion === 'string' ? splitVersion(apiVersion) : [undefined, ''];
  if (group === 'karpenter.sh' && version !== 'v1' && OLD_KARPENTER_KINDS.has(kind)) return 'old-karpenter';
  if (!isKnown(kind)) return undefined;
  return group === undefined || group === KINDS[kind].group ? kind : undefined;
}

function splitVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
