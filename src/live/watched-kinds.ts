import type { PolicyObject } from '../config/policy-object.ts';
import type { Command } from '../controller/command.ts';
import type { PodDisruptionBudgetObject, WorkloadObject } from '../engine/cluster/objects.ts';
import type { AutoscalerObject } from '../engine/cluster/scaling-objects.ts';
import { decodeAutoscaler } from '../kube/decode/autoscaler.ts';
import { decodeCapacityBuffer } from '../kube/decode/capacity-buffer.ts';
import { decodePodDisruptionBudget } from '../kube/decode/disruption-budget.ts';
import { shapeOfKind } from '../kube/decode/kind-table.ts';
import { API_VERSION, FIRST, nameOf, objectShape } from '../kube/decode/metadata.ts';
import { decodeNamespace } from '../kube/decode/namespace.ts';
import { decodeNodeOverlay } from '../kube/decode/node-overlay.ts';
import { decodeNodePool } from '../kube/decode/node-pool.ts';
import { priorityClassOf } from '../kube/decode/pod.ts';
import { decodePriorityClass } from '../kube/decode/priority-class.ts';
import { decodeService } from '../kube/decode/service.ts';
import { blockingBudget } from '../kube/decode/set-aside.ts';
import {
  decodeCsiNode,
  decodePersistentVolume,
  decodePersistentVolumeClaim,
  decodeStorageClass,
} from '../kube/decode/storage.ts';
import { type Row, whole } from '../kube/read/json-shape.ts';
import { type Decoders, priorityClassOfPod } from './decoders.ts';
import { commandOf } from './journal-object.ts';
import { resourceVersionOf } from './object-reader.ts';
import type { Watched } from './reflector.ts';
import { AUTOSCALER_RESOURCE, JOURNAL_RESOURCE, POLICY_RESOURCE, RESOURCES } from './resource.ts';

/** The watched kinds and their decoders. */
export const NODE_POOLS = watched('NodePool', decodeNodePool);
export const NODE_CLAIMS = watched('NodeClaim', (row, { nodeClaims }) => nodeClaims.decode(row));
export const NODES = watched('Node', (row, { nodes }) => nodes.decode(row));
export const PODS = watched('Pod', (row, { pods }) => {
  const pod = pods.decode(row);
  const priorityClass = priorityClassOf(row);
  if (priorityClass !== '') priorityClassOfPod.set(pod, priorityClass);
  return pod;
});
export const DISRUPTION_BUDGETS: Watched<PodDisruptionBudgetObject> = {
  ...watched('PodDisruptionBudget', decodePodDisruptionBudget),
  standIn: blockingBudget,
};
export const DAEMON_SETS = watched('DaemonSet', (row, { daemonSets }) => daemonSets.decode(row));
/** Deployments first. */
export const WORKLOADS: readonly Watched<WorkloadObject>[] = (
  ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController', 'Job'] as const
).map((kind) => watched(kind, (row, { workloads }) => workloads.decode(row)));
export const PRIORITY_CLASSES = watched('PriorityClass', decodePriorityClass);
export const VOLUMES = watched('PersistentVolume', decodePersistentVolume);
export const VOLUME_CLAIMS = watched('PersistentVolumeClaim', decodePersistentVolumeClaim);
export const STORAGE_CLASSES = watched('StorageClass', decodeStorageClass);
export const CSI_NODES = watched('CSINode', decodeCsiNode);
export const NAMESPACES = watched('Namespace', decodeNamespace);
export const SERVICES = optional(watched('Service', decodeService));
export const POD_TEMPLATES = optional(watched('PodTemplate', (row, { podTemplates }) => podTemplates.decode(row)));
export const NODE_OVERLAYS = optional(watched('NodeOverlay', decodeNodeOverlay));
export const CAPACITY_BUFFERS = optional(watched('CapacityBuffer', decodeCapacityBuffer));

/** Only where rollouts need them. */
export const AUTOSCALERS: Watched<AutoscalerObject> = {
  resource: AUTOSCALER_RESOURCE,
  shape: shapeOfKind('HorizontalPodAutoscaler'),
  decode: decodeAutoscaler,
  optional: true,
};

const SPEC = FIRST;
const STATUS = FIRST + 1;
const SPEC_AND_STATUS = objectShape({ top: { spec: whole(SPEC), status: whole(STATUS) } });

const GENERATION = FIRST + 1;

export const POLICIES: Watched<PolicyObject> = {
  resource: POLICY_RESOURCE,
  shape: objectShape({ metadata: { generation: whole(GENERATION) }, top: { spec: whole(SPEC) } }),
  optional: true,
  decode: (row) => ({
    kind: 'ConsolidationPolicy',
    apiVersion: row[API_VERSION],
    name: nameOf(row),
    spec: row[SPEC],
    ...(typeof row[GENERATION] === 'number' ? { generation: row[GENERATION] } : {}),
  }),
};

/** A command and its resourceVersion. */
export interface JournalEntry {
  readonly command: Command;
  readonly resourceVersion: string;
}

export const COMMANDS: Watched<JournalEntry> = {
  resource: JOURNAL_RESOURCE,
  shape: SPEC_AND_STATUS,
  optional: true,
  decode: (row) => ({
    command: commandOf(nameOf(row), row[SPEC], row[STATUS]),
    resourceVersion: resourceVersionOf(row, SPEC_AND_STATUS),
  }),
};

function optional<T>(kind: Watched<T>): Watched<T> {
  return { ...kind, optional: true };
}

function watched<T>(kind: keyof typeof RESOURCES, decode: (row: Row, decoders: Decoders) => T): Watched<T> {
  return { resource: RESOURCES[kind], shape: shapeOfKind(kind), decode };
}
