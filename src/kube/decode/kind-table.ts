import { type Fields, fields, type Row, rows, shared, time } from '../read/json-shape.ts';
import { AUTOSCALER } from './autoscaler.ts';
import { CAPACITY_BUFFER } from './capacity-buffer.ts';
import { CONSOLIDATION_POLICY } from './consolidation-policy.ts';
import { DAEMON_SET } from './daemon-set.ts';
import { POD_DISRUPTION_BUDGET } from './disruption-budget.ts';
import { DEVICE_CLASS, RESOURCE_CLAIM, RESOURCE_SLICE } from './dynamic-resources.ts';
import { API_VERSION, KIND } from './metadata.ts';
import { NAMESPACE_SHAPE } from './namespace.ts';
import { NODE } from './node.ts';
import { NODE_CLAIM } from './node-claim.ts';
import { NODE_CLASS } from './node-class.ts';
import { NODE_OVERLAY } from './node-overlay.ts';
import { NODE_POOL } from './node-pool.ts';
import { POD } from './pod.ts';
import { POD_TEMPLATE } from './pod-template.ts';
import { PRIORITY_CLASS_SHAPE } from './priority-class.ts';
import { SERVICE } from './service.ts';
import { CSI_NODE, PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, STORAGE_CLASS } from './storage.ts';
import { CRON_JOB, DEPLOYMENT, JOB, SCALABLE, WORKLOAD } from './workload.ts';

export type KnownKind = keyof typeof KINDS;

/** The kinds that decisions depend on, with their API group ('' is core) and the fields that are read. */
const KINDS = {
  Pod: { group: '', shape: POD },
  Node: { group: '', shape: NODE },
  NodePool: { group: 'karpenter.sh', shape: NODE_POOL },
  NodeClaim: { group: 'karpenter.sh', shape: NODE_CLAIM },
  PodDisruptionBudget: { group: 'policy', shape: POD_DISRUPTION_BUDGET },
  DaemonSet: { group: 'apps', shape: DAEMON_SET },
  Deployment: { group: 'apps', shape: DEPLOYMENT },
  ReplicaSet: { group: 'apps', shape: SCALABLE },
  StatefulSet: { group: 'apps', shape: SCALABLE },
  ReplicationController: { group: '', shape: WORKLOAD },
  Job: { group: 'batch', shape: JOB },
  CronJob: { group: 'batch', shape: CRON_JOB },
  HorizontalPodAutoscaler: { group: 'autoscaling', shape: AUTOSCALER },
  Service: { group: '', shape: SERVICE },
  PodTemplate: { group: '', shape: POD_TEMPLATE },
  NodeOverlay: { group: 'karpenter.sh', shape: NODE_OVERLAY },
  CapacityBuffer: { group: 'autoscaling.x-k8s.io', shape: CAPACITY_BUFFER },
  PriorityClass: { group: 'scheduling.k8s.io', shape: PRIORITY_CLASS_SHAPE },
  PersistentVolume: { group: '', shape: PERSISTENT_VOLUME },
  PersistentVolumeClaim: { group: '', shape: PERSISTENT_VOLUME_CLAIM },
  StorageClass: { group: 'storage.k8s.io', shape: STORAGE_CLASS },
  CSINode: { group: 'storage.k8s.io', shape: CSI_NODE },
  ResourceClaim: { group: 'resource.k8s.io', shape: RESOURCE_CLAIM },
  ResourceSlice: { group: 'resource.k8s.io', shape: RESOURCE_SLICE },
  DeviceClass: { group: 'resource.k8s.io', shape: DEVICE_CLASS },
  Namespace: { group: '', shape: NAMESPACE_SHAPE },
  EC2NodeClass: { group: 'karpenter.k8s.aws', shape: NODE_CLASS },
  NodeClass: { group: 'eks.amazonaws.com', shape: NODE_CLASS },
  ConsolidationPolicy: { group: 'decant.sh', shape: CONSOLIDATION_POLICY },
} as const satisfies Record<string, { group: string; shape: Fields }>;

/** Kinds of Karpenter before v1, whose fields have other meanings. */
const OLD_KARPENTER_KINDS = new Set(['NodePool', 'NodeClaim', 'Provisioner', 'Machine']);

const IGNORED = fields({ apiVersion: shared(API_VERSION), kind: shared(KIND) });

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
            metadata: fields({ ...Object.fromEntries(metadata.members), managedFields: rows(shape.width, MANAGED) }),
          })
        : shape;
    TIMED.set(shape, timed);
  }
  return timed;
}

/** The newest time of `managedFields` in a row of a file; 0 if there is none. */
export function managedMs(kind: KnownKind, row: Row): number {
  const entries = (row[shapeOfKind(kind).width] ?? []) as readonly Row[];
  return entries.reduce((newest, [time]) => Math.max(newest, (time as number | undefined) ?? 0), 0);
}

const MANAGED = fields({ time: time(0) });
const TIMED = new Map<Fields, Fields>();

function isKnown(kind: string): kind is KnownKind {
  return Object.hasOwn(KINDS, kind);
}

/** The kind to decode the row as; undefined if it is not read. Without an apiVersion, the kind alone decides. */
export function kindOf(row: Row): KnownKind | 'old-karpenter' | undefined {
  const kind = row[KIND] as string;
  const apiVersion = row[API_VERSION];
  const [group, version] = typeof apiVersion === 'string' ? splitVersion(apiVersion) : [undefined, ''];
  if (group === 'karpenter.sh' && version !== 'v1' && OLD_KARPENTER_KINDS.has(kind)) return 'old-karpenter';
  if (!isKnown(kind)) return undefined;
  return group === undefined || group === KINDS[kind].group ? kind : undefined;
}

function splitVersion(apiVersion: string): readonly [string, string] {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
