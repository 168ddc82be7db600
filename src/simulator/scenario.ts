import type {
  ClusterObjects,
  InstanceType,
  KarpenterOptions,
  Labels,
  NodePoolObject,
  Owner,
  PodConstraints,
  Resources,
} from '../engine/cluster/objects.ts';
import type { Span } from './random-streams.ts';
import type { ReplicaCurve } from './replica-curve.ts';

/** A cluster and what will happen to it, as plain values: what a workload file says, decoded. */
export interface Scenario {
  readonly name: string;
  readonly startMs: number;
  readonly instanceTypes: readonly InstanceType[];
  readonly options: KarpenterOptions;
  readonly nodePools: readonly NodePoolObject[];
  readonly apps: readonly App[];
  readonly settings: ClusterSettings;
  /** What is there from the beginning; without, there are no nodes and no pods yet. */
  readonly start?: StartingPoint;
}

/** A real cluster at the moment when the simulation begins. */
export interface StartingPoint {
  readonly objects: ClusterObjects;
  /** For each pod the place of its workload in the list; undefined: it is over, or its node is not there. */
  readonly appOfPod: readonly (number | undefined)[];
}

export interface ClusterSettings {
  readonly scoring: 'LeastAllocated' | 'MostAllocated';
  /** From the NodeClaim to the Node. */
  readonly launchDelay: Span;
  /** From the Node to its being ready and initialized. */
  readonly initDelay: Span;
  /** From an empty, drained node to the end of its bill. */
  readonly terminationDelay: Span;
  /** Share of launches that an offering refuses for lack of capacity. */
  readonly insufficientCapacityRate: number;
  /** Interruptions of one spot node per day, on average. */
  readonly spotInterruptionsPerDay: number;
  readonly drifts: readonly Drift[];
  readonly priceChanges: readonly PriceChange[];
  readonly drains: readonly ManualDrain[];
}

/** From then on all nodes of the pool that are older are to be replaced, one by one. */
export interface Drift {
  readonly afterMs: number;
  readonly nodePool: string;
}

export interface PriceChange {
  readonly afterMs: number;
  /** Names of types begin with this; '' is all. */
  readonly instanceTypes: string;
  /** undefined: every capacity type. */
  readonly capacityType?: string;
  readonly factor: number;
}

/** Somebody takes so many nodes away by hand, the fullest first. */
export interface ManualDrain {
  readonly afterMs: number;
  readonly nodes: number;
}

/** What all kinds of workloads have. */
interface AppBase {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly requests: Resources;
  readonly constraints: PodConstraints;
  readonly priority?: number;
  readonly deletionCost?: string;
  readonly doNotDisrupt?: string;
  /** From binding to ready. */
  readonly startup: Span;
  /** From the order to stop to being gone, at most the grace period. */
  readonly shutdown: Span;
  readonly budget?: DisruptionBudget;
  /** Who controls its pods; by default what kind and name say. */
  readonly owners?: readonly Owner[];
  /** Nobody brings back a pod that is taken away. */
  readonly irreplaceable?: true;
}

export interface DisruptionBudget {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

export interface ReplicatedApp extends AppBase {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly replicas: ReplicaCurve;
  readonly rollouts: readonly Rollout[];
  /** Pods that leave the node with the fewest others first, when it shrinks (node-ranked deletion cost). */
  readonly alignedScaleIn: boolean;
}

/** A new version: once, or again and again. */
export interface Rollout {
  readonly afterMs: number;
  readonly everyMs?: number;
}

export interface JobApp extends AppBase {
  readonly kind: 'Job';
  readonly firstMs: number;
  /** undefined: once. */
  readonly everyMs?: number;
  /** Starts come late by up to this. */
  readonly jitterMs: number;
  /** Pods of each run, side by side. */
  readonly pods: number;
  readonly runTime: Span;
}

export interface DaemonApp extends AppBase {
  readonly kind: 'DaemonSet';
  /** Pods of the kubelet itself: they go with their node, and new nodes have none. */
  readonly onlyWhereFound?: true;
}

export type App = ReplicatedApp | JobApp | DaemonApp;
