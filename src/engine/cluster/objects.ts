import type { CapacityBufferObject } from './capacity-buffer-object.ts';
import type { CoveredBy } from './commitment.ts';
import type { CsiNodeObject } from './csi-node-object.ts';
import type { FirstAvailable } from './first-available.ts';
import type { HostPort } from './host-port.ts';
import type { KarpenterOptions, KarpenterProcess, KarpenterSchema } from './karpenter-options.ts';
import type { LocalData } from './local-data.ts';
import type { NodeOverlayObject } from './node-overlay-object.ts';
import type { PolicyRef } from './policy-ref.ts';
import type { PriceOrigin, PriceSource } from './price-origin.ts';
import type { AutoscalerObject, CronJobSchedule, DeploymentRollout, JobProgress } from './scaling-objects.ts';
import type { UndecodableObject } from './undecodable.ts';

/**
 * The engine's input: Kubernetes objects, decoded once in `src/kube/decode`, with the fields that decisions depend on. Amounts
 * are numbers (cpu in millicores, memory in bytes, others in whole units), times are milliseconds since the epoch. Parts that
 * many pods share (labels, constraints, requests) should be the same object for equal pods: the engine recognises a class by
 * identity first and by content once per object.
 */
export type Labels = Readonly<Record<string, string>>;

/** The label's value. Inherited properties such as "constructor" are not strings, so they never match. */
export function labelOf(labels: Labels, key: string): string | undefined {
  return typeof labels[key] === 'string' ? labels[key] : undefined;
}

/** Amounts by resource name: `cpu` in millicores, `memory` in bytes, others as counted. */
export type Resources = Readonly<Record<string, number>>;

/** The amount of a resource with a user-chosen name, if listed. Inherited properties are never numbers. */
export function amountOf(amounts: Resources, name: string): number | undefined {
  return typeof amounts[name] === 'number' ? amounts[name] : undefined;
}

export type SelectorOperator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte';

export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  readonly values?: readonly string[];
  /** NodePool and NodeClaim requirements only. */
  readonly minValues?: number;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values?: readonly string[];
  }[];
}

export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
}

export interface Weighted<T> {
  readonly weight: number;
  readonly term: T;
}

export interface TopologySpread {
  readonly topologyKey: string;
  readonly maxSkew: number;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
  readonly matchLabelKeys?: readonly string[];
}

export interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

export interface Toleration {
  readonly key: string;
  /** '' means Equal, as in Kubernetes. */
  readonly operator: '' | 'Equal' | 'Exists' | 'Lt' | 'Gt';
  readonly value: string;
  readonly effect: string;
  readonly tolerationSeconds?: number;
}

/** Everything in a pod's spec that says where it may run, apart from how much it requests. */
export interface PodConstraints {
  readonly nodeSelector: Labels;
  /** OR of terms; absent without required node affinity. */
  readonly requiredNodeTerms?: readonly NodeSelectorTerm[];
  readonly preferredNodeTerms: readonly Weighted<NodeSelectorTerm>[];
  readonly requiredAffinity: readonly PodAffinityTerm[];
  readonly preferredAffinity: readonly Weighted<PodAffinityTerm>[];
  readonly requiredAntiAffinity: readonly PodAffinityTerm[];
  readonly preferredAntiAffinity: readonly Weighted<PodAffinityTerm>[];
  readonly tolerations: readonly Toleration[];
  readonly topologySpread: readonly TopologySpread[];
  readonly hostPorts: readonly HostPort[];
  /** The pod references ResourceClaims (dynamic resource allocation). */
  readonly resourceClaims: boolean;
  readonly firstAvailable?: FirstAvailable;
}

export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller: boolean;
}

export interface PodObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly createdMs: number;
  readonly terminating: boolean;
  readonly labels: Labels;
  /** `karpenter.sh/do-not-disrupt`, as written. */
  readonly doNotDisrupt?: string;
  /** `karpenter.sh/do-not-evict`, as written. */
  readonly doNotEvict?: string;
  /** `cluster-autoscaler.kubernetes.io/safe-to-evict`, as written. */
  readonly safeToEvict?: string;
  /** `decant.sh/move`, as written. */
  readonly move?: string;
  /** `controller.kubernetes.io/pod-deletion-cost`, as written. */
  readonly deletionCost?: string;
  /** The same annotation, if steering wrote it: not a disruption cost. */
  readonly steeredCost?: number;
  /** `karpenter.sh/disruption-cost`, as written. */
  readonly disruptionCost?: string;
  readonly owners: readonly Owner[];
  /** '' while unbound. */
  readonly nodeName: string;
  readonly nominatedNodeName: string;
  readonly phase: string;
  readonly startedMs?: number;
  /** Condition PodScheduled has reason Unschedulable. */
  readonly unschedulable: boolean;
  /** Status of condition Ready, '' if absent. */
  readonly ready: string;
  /** When that condition last changed. */
  readonly readyChangedMs?: number;
  readonly priority?: number;
  /** Effective requests (init containers, sidecars, pod level, overhead, resize), without `pods`. */
  readonly requests: Resources;
  readonly constraints: PodConstraints;
  /** Names of the PersistentVolumeClaims of its volumes, in order; generic ephemeral volumes included. */
  readonly volumeClaims: readonly string[];
  /** Volumes with data on the node's disk; absent if none. An emptyDir in memory does not count. */
  readonly localData?: readonly LocalData[];
  /** On virtual pods only: `namespace/name` of their CapacityBuffer. */
  readonly capacityBuffer?: string;
}

/** The pods of a PodTemplate or a workload. */
export interface PodTemplate {
  readonly labels: Labels;
  readonly requests: Resources;
  readonly constraints: PodConstraints;
}

export interface PodTemplateObject extends PodTemplate {
  readonly namespace: string;
  readonly name: string;
}

export interface NodeObject {
  readonly name: string;
  readonly labels: Labels;
  /** `karpenter.sh/do-not-disrupt`, as written. */
  readonly doNotDisrupt?: string;
  readonly createdMs: number;
  readonly terminating: boolean;
  readonly providerId: string;
  readonly taints: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** Status of condition Ready, '' if absent. */
  readonly ready: string;
  readonly cordoned?: boolean;
  /** Has the taint decant.sh/leaving:PreferNoSchedule, which `taints` leaves out; absent: no. */
  readonly steered?: boolean;
  /** When it got that taint, and how many pods it had then, DaemonSets' aside; absent if the taint does not say. */
  readonly steeredFrom?: { readonly atMs: number; readonly pods: number };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly changedMs: number;
}

export interface NodeClaimObject {
  readonly name: string;
  readonly uid: string;
  readonly labels: Labels;
  readonly doNotDisrupt?: string;
  readonly createdMs: number;
  readonly terminating: boolean;
  readonly taints: readonly Taint[];
  readonly startupTaints: readonly Taint[];
  /** undefined for "Never" or absent: the claim does not expire. */
  readonly expireAfterMs?: number;
  readonly providerId: string;
  readonly nodeName: string;
  readonly capacity: Resources;
  readonly allocatable: Resources;
  readonly conditions: readonly Condition[];
  readonly lastPodEventMs?: number;
}

export interface Budget {
  /** "10%" or "3", as written. */
  readonly nodes: string;
  readonly schedule?: string;
  readonly durationMs?: number;
  /** IANA name; undefined for UTC, the only one that Karpenter supports. */
  readonly timeZone?: string;
  /** undefined: every reason. */
  readonly reasons?: readonly string[];
}

export interface NodePoolObject {
  readonly name: string;
  readonly uid: string;
  readonly labels: Labels;
  readonly terminating: boolean;
  /** Condition Ready is True. */
  readonly ready: boolean;
  readonly weight: number;
  /** Set on static pools. */
  readonly replicas?: number;
  readonly limits: Resources;
  readonly templateLabels: Labels;
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly taints: readonly Taint[];
  readonly startupTaints: readonly Taint[];
  /** Lifetime of its nodes; undefined for "Never". */
  readonly expireAfterMs?: number;
  readonly nodeClass: { readonly group: string; readonly kind: string; readonly name: string };
  readonly consolidationPolicy: string;
  /** undefined for "Never". */
  readonly consolidateAfterMs?: number;
  readonly budgets: readonly Budget[];
  /** spec.disruption as written, for fields that stock Karpenter does not have. */
  readonly disruption: unknown;
  readonly selectedBy?: PolicyRef;
}

export interface DaemonSetObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly labels: Labels;
  /** Of the pod template; limits replace missing requests, as the API server defaults them. */
  readonly requests: Resources;
  readonly constraints: PodConstraints;
}

export interface PodDisruptionBudgetObject {
  readonly namespace: string;
  readonly name: string;
  readonly uid?: string;
  readonly selector?: LabelSelector;
  readonly disruptionsAllowed: number;
  /** maxUnavailable 0 or "0%", or minAvailable "100%", by spec. */
  readonly fullyBlocking: boolean;
  /** unhealthyPodEvictionPolicy is AlwaysAllow. */
  readonly evictsUnhealthy: boolean;
}

export interface PersistentVolumeObject {
  readonly name: string;
  readonly terminating: boolean;
  readonly csiDriver: string;
  readonly awsElasticBlockStore: boolean;
  /** A `local` or `hostPath` volume: its data is on the disk of one node. */
  readonly nodeLocal: boolean;
  /** undefined without node affinity. */
  readonly nodeTerms?: readonly NodeSelectorTerm[];
}

export interface PersistentVolumeClaimObject {
  readonly namespace: string;
  readonly name: string;
  readonly terminating: boolean;
  readonly phase: string;
  readonly volumeName: string;
  readonly storageClass: string;
  /** Annotation pv.kubernetes.io/bind-completed is present. */
  readonly bindCompleted: boolean;
  readonly accessModes?: readonly string[];
}

export interface StorageClassObject {
  readonly name: string;
  readonly provisioner: string;
  readonly volumeBindingMode: string;
  /** OR of terms, each an AND of key → allowed values. */
  readonly allowedTopologies: readonly (readonly { readonly key: string; readonly values: readonly string[] }[])[];
}

export interface NamespaceObject {
  readonly name: string;
  readonly labels: Labels;
}

/** A Deployment, ReplicaSet, StatefulSet, ReplicationController, Job or CronJob. */
export interface WorkloadObject {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly owners: readonly Owner[];
  readonly replicas: number;
  readonly readyReplicas: number;
  /** Of Deployments, ReplicaSets, StatefulSets and CronJobs. */
  readonly template?: PodTemplate;
  /** Of Jobs; absent if unknown. */
  readonly job?: JobProgress;
  /** Of CronJobs. */
  readonly schedule?: CronJobSchedule;
  /** Of Deployments. */
  readonly rollout?: DeploymentRollout;
  /** Of Karpenter's Deployment. */
  readonly karpenter?: KarpenterProcess;
  /** Its own pods; for ReplicationControllers matchLabels only. */
  readonly selector?: LabelSelector;
}

export interface ServiceObject {
  readonly namespace: string;
  readonly name: string;
  /** undefined selects nothing. */
  readonly selector?: Labels;
}

export interface Offering {
  /** Dollars per hour. */
  readonly price: number;
  readonly priceSource?: PriceSource;
  readonly available: boolean;
  /** At least capacity type and zone. */
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Free slots of a reserved offering. */
  readonly reservationCapacity: number;
  readonly coveredBy?: CoveredBy;
}

export interface InstanceType {
  readonly name: string;
  /** All labels of a node of this type, as requirements. */
  readonly requirements: readonly NodeSelectorRequirement[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** Volumes that a node of this type can attach, by CSI driver; unlimited for absent drivers. */
  readonly volumeLimits?: Readonly<Record<string, number>>;
  readonly offerings: readonly Offering[];
  /** Interruption rate of a spot node of the type; undefined if unknown. */
  readonly spotInterruptionsPerHour?: number;
}

export interface ClusterObjects {
  readonly nowMs: number;
  readonly options: KarpenterOptions;
  readonly instanceTypes: readonly InstanceType[];
  readonly prices?: PriceOrigin;
  readonly pods: readonly PodObject[];
  readonly nodes: readonly NodeObject[];
  readonly nodeClaims: readonly NodeClaimObject[];
  readonly nodePools: readonly NodePoolObject[];
  readonly daemonSets: readonly DaemonSetObject[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudgetObject[];
  readonly persistentVolumes: readonly PersistentVolumeObject[];
  readonly persistentVolumeClaims: readonly PersistentVolumeClaimObject[];
  readonly storageClasses: readonly StorageClassObject[];
  readonly csiNodes: readonly CsiNodeObject[];
  readonly namespaces: readonly NamespaceObject[];
  readonly workloads: readonly WorkloadObject[];
  /** Known where Karpenter's Deployment is not among the workloads. */
  readonly karpenterSchema?: KarpenterSchema;
  readonly services: readonly ServiceObject[];
  readonly podTemplates: readonly PodTemplateObject[];
  readonly capacityBuffers: readonly CapacityBufferObject[];
  /** Not in `instanceTypes` yet. */
  readonly nodeOverlays: readonly NodeOverlayObject[];
  /** undefined: unknown. */
  readonly autoscalers?: readonly AutoscalerObject[];
  readonly undecodable: readonly UndecodableObject[];
  /** By UID of a pod whose node leaves: the node or NodeClaim that it is planned to go to. */
  readonly plannedDestinations?: ReadonlyMap<string, string>;
}
