import type { KarpenterOptions } from '../engine/cluster/karpenter-options.ts';
import type {
  ClusterObjects,
  InstanceType,
  Labels,
  NodePoolObject,
  Owner,
  PodConstraints,
  PodObject,
  Resources,
} from '../engine/cluster/objects.ts';
import type { DurationRange } from './random-streams.ts';
import type { ReplicaCurve } from './replica-curve.ts';

/** A decoded workload: cluster, workloads and events, as plain values. */
export interface Scenario {
  readonly name: string;
  readonly startMs: number;
  readonly instanceTypes: readonly InstanceType[];
  readonly options: KarpenterOptions;
  readonly nodePools: readonly NodePoolObject[];
  readonly apps: readonly App[];
  readonly settings: ClusterSettings;
  /** The imported cluster to start with; undefined starts empty. */
  readonly start?: ImportedCluster;
}

/** The cluster at the start of the simulation. */
export interface ImportedCluster {
  readonly objects: ClusterObjects;
  /** Index of each pod's workload; undefined for finished pods and pods of unknown nodes. */
  readonly appOfPod: readonly (number | undefined)[];
}

export interface ClusterSettings {
  readonly scoring: 'LeastAllocated' | 'MostAllocated';
  /** From NodeClaim to Node. */
  readonly launchDelay: DurationRange;
  /** From Node to ready and initialized. */
  readonly initDelay: DurationRange;
  /** From drained to terminated, when it stops costing money. */
  readonly terminationDelay: DurationRange;
  /** Share of launches that fail for insufficient capacity. */
  readonly insufficientCapacityRate: number;
  /** Mean interruptions per spot node and day; catalog: by its instance type, where the catalog knows it. */
  readonly spotInterruptionsPerDay: number | 'catalog';
  readonly drifts: readonly Drift[];
  readonly priceChanges: readonly PriceChange[];
  readonly drains: readonly ManualDrain[];
}

/** All nodes of the pool that exist at this time drift. */
export interface Drift {
  readonly afterMs: number;
  readonly nodePool: string;
}

export interface PriceChange {
  readonly afterMs: number;
  /** Prefix of type names; '' matches all. */
  readonly instanceTypes: string;
  /** undefined: all capacity types. */
  readonly capacityType?: string;
  readonly factor: number;
}

/** An operator drains this many nodes, the fullest first. */
export interface ManualDrain {
  readonly afterMs: number;
  readonly nodes: number;
}

/** Common to all kinds of workloads. */
interface AppBase {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly requests: Resources;
  readonly constraints: PodConstraints;
  readonly priority?: number;
  readonly deletionCost?: string;
  readonly doNotDisrupt?: string;
  /** From bound to ready. */
  readonly startup: DurationRange;
  /** From deletion to gone, within the grace period. */
  readonly shutdown: DurationRange;
  readonly budget?: DisruptionBudget;
  /** Owners of its pods; by default derived from kind and name. */
  readonly owners?: readonly Owner[];
  /** Further fields of its pods. */
  readonly podFields?: Pick<PodObject, 'doNotEvict' | 'safeToEvict' | 'localData'>;
  /** PersistentVolumeClaims that all its pods use. */
  readonly volumeClaims?: readonly string[];
  /** PersistentVolumeClaims by pod name: a StatefulSet's pods keep theirs. */
  readonly volumeClaimsByPod?: Readonly<Record<string, readonly string[]>>;
  /** Nothing recreates its pods. */
  readonly barePod?: true;
}

export interface DisruptionBudget {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

export interface ReplicatedApp extends AppBase {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly replicas: ReplicaCurve;
  readonly rollouts: readonly ScheduledRollout[];
  /** Scales in from the nodes with the fewest pods first (node-ranked deletion cost). */
  readonly alignedScaleIn: boolean;
}

/** A rollout of a new revision, once or periodically. */
export interface ScheduledRollout {
  readonly afterMs: number;
  readonly everyMs?: number;
}

export interface JobApp extends AppBase {
  readonly kind: 'Job';
  readonly firstMs: number;
  /** undefined: once. */
  readonly everyMs?: number;
  /** Maximum random delay of each start. */
  readonly jitterMs: number;
  /** Runs of a trace, in order of time, instead of `firstMs` and `everyMs`. */
  readonly runs?: readonly TraceRun[];
  /** Starts at these times instead of `everyMs`. */
  readonly schedule?: { readonly cron: string; readonly timeZone?: string };
  /** Pods of each run, in parallel. */
  readonly pods: number;
  /** Pods of each run in all; undefined: as many as in parallel. */
  readonly completions?: number;
  /** Pods that an imported Job has still to start. */
  readonly remaining?: number;
  readonly runTime: DurationRange;
}

export interface TraceRun {
  readonly afterMs: number;
  readonly pods: number;
  /** undefined: runs on. */
  readonly runTime?: DurationRange;
}

export interface DaemonApp extends AppBase {
  readonly kind: 'DaemonSet';
  /** Static pods and pods of unknown DaemonSets: they go with their node, and new nodes get none. */
  readonly onlyOnImportedNodes?: true;
}

export type App = ReplicatedApp | JobApp | DaemonApp;
