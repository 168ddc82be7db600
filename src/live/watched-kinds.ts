import type { PolicyObject } from '../config/policy-object.ts';
import type { Command } from '../controller/command.ts';
import type { WorkloadObject } from '../engine/cluster/objects.ts';
import type { AutoscalerObject } from '../engine/cluster/scaling-objects.ts';
import { type ListedKindName, listedKind, shapeOfKind } from '../kube/decode/kind-table.ts';
import { nameOf, objectShape } from '../kube/decode/metadata.ts';
import { priorityClassOf } from '../kube/decode/pod.ts';
import { decodePriorityClass } from '../kube/decode/priority-class.ts';
import { blockingBudget } from '../kube/decode/set-aside.ts';
import { whole } from '../kube/read/json-shape.ts';
import { priorityClassOfPod } from './decoders.ts';
import { commandOf } from './journal-object.ts';
import { resourceVersionOf } from './object-reader.ts';
import type { Watched } from './reflector.ts';
import { AUTOSCALER_RESOURCE, JOURNAL_RESOURCE, POLICY_RESOURCE, RESOURCES } from './resource.ts';

/** The watched kinds. */
export const NODE_POOLS = watched('NodePool');
export const NODE_CLAIMS = watched('NodeClaim');
export const NODES = watched('Node');
const PLAIN_PODS = watched('Pod');
export const PODS: typeof PLAIN_PODS = {
  ...PLAIN_PODS,
  decode: (row, decoders) => {
    const pod = PLAIN_PODS.decode(row, decoders);
    const priorityClass = priorityClassOf(row);
    if (priorityClass !== '') priorityClassOfPod.set(pod, priorityClass);
    return pod;
  },
};
/** Deployments first. */
export const WORKLOADS: readonly Watched<WorkloadObject>[] = (
  ['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController', 'Job'] as const
).map(watched);
export const PRIORITY_CLASSES: Watched<ReturnType<typeof decodePriorityClass>> = {
  resource: RESOURCES.PriorityClass,
  shape: shapeOfKind('PriorityClass'),
  decode: decodePriorityClass,
};

/** Kinds whose objects are used as they come, by the name of their list. */
export const PLAIN_LISTS = {
  daemonSets: watched('DaemonSet'),
  podDisruptionBudgets: { ...watched('PodDisruptionBudget'), whenUndecodable: blockingBudget },
  persistentVolumes: watched('PersistentVolume'),
  persistentVolumeClaims: watched('PersistentVolumeClaim'),
  storageClasses: watched('StorageClass'),
  csiNodes: watched('CSINode'),
  namespaces: watched('Namespace'),
  services: optional(watched('Service')),
  podTemplates: optional(watched('PodTemplate')),
  nodeOverlays: optional(watched('NodeOverlay')),
  capacityBuffers: optional(watched('CapacityBuffer')),
} as const;

/** Only where rollouts need them. */
export const AUTOSCALERS: Watched<AutoscalerObject> = optional({
  resource: AUTOSCALER_RESOURCE,
  ...listedKind('HorizontalPodAutoscaler'),
});

const SPEC_AND_STATUS = objectShape({ top: { spec: whole(), status: whole() } });

export const POLICIES: Watched<PolicyObject> = {
  resource: POLICY_RESOURCE,
  shape: objectShape({ metadata: { generation: whole() }, top: { spec: whole() } }),
  optional: true,
  decode: (row) => ({
    kind: 'ConsolidationPolicy',
    apiVersion: row.apiVersion,
    name: nameOf(row),
    spec: row.spec,
    ...(typeof row.generation === 'number' ? { generation: row.generation } : {}),
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
    command: commandOf(nameOf(row), row.spec, row.status),
    resourceVersion: resourceVersionOf(row),
  }),
};

function optional<T>(kind: Watched<T>): Watched<T> {
  return { ...kind, optional: true };
}

function watched<K extends ListedKindName & keyof typeof RESOURCES>(
  kind: K,
): Watched<ReturnType<ReturnType<typeof listedKind<K>>['decode']>> {
  const { shape, decode } = listedKind(kind);
  return { resource: RESOURCES[kind], shape, decode } as Watched<
    ReturnType<ReturnType<typeof listedKind<K>>['decode']>
  >;
}
