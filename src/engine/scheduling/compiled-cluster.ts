import type { Bitset } from '../cluster/bitset.ts';
import type { ClusterObjects, NodePoolObject, PodObject } from '../cluster/objects.ts';
import type { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import type { RequestTable } from '../cluster/request-table.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import type { UndecodableObject } from '../cluster/undecodable.ts';
import type { KarpenterVersion } from '../karpenter-release.ts';
import type { RequirementSpace } from '../selection/requirement-space.ts';
import type { BufferPlacements } from './buffer-placements.ts';
import type { FreeCapacityIndex } from './free-capacity-index.ts';
import type { GroupId } from './group-rules.ts';
import type { InstanceTypes } from './instance-types.ts';
import type { NodePorts } from './node-ports.ts';
import type { NodeSets } from './node-sets.ts';
import type { PodFacts } from './pod-facts.ts';
import type { PodShape, PodShapes } from './pod-shapes.ts';
import type { PoolLimits } from './pool-limits.ts';
import type { Template } from './templates.ts';
import type { TopologyCounts } from './topology-counts.ts';
import type { TopologyGroups } from './topology-groups.ts';
import type { VolumeLimits } from './volume-limits.ts';
import type { PodVolumes } from './volumes.ts';

export interface CompileSettings {
  /** Reproduce Karpenter to the letter, its slips included. */
  readonly compat: boolean;
  /** The release of Karpenter to reproduce; undefined: the newest. */
  readonly karpenter?: KarpenterVersion;
  /** Pods that move by our doing do not land on nodes inside their own consolidateAfter window. */
  readonly shieldDestinations: boolean;
  /** Cheaper types that a spot node needs to be replaced by spot; fewer, and it would walk down the price list. */
  readonly spotToSpotTypes: number;
  readonly spotToSpotShrink?: boolean;
  /** Cents per hour that every node costs beside its price, old or new. */
  readonly nodeSurchargeCents?: number;
  readonly destinationLifetime?: boolean;
  readonly spotInterruptionsPerHour?: number;
}

/** Topology groups that a pod's labels put it into. */
export interface Membership {
  /** Groups that count it while it runs. */
  readonly running: readonly GroupId[];
  /** Groups whose constraint is about the pod: placing it changes their counts. */
  readonly counted: readonly GroupId[];
  /** Inverse groups that keep it away, by host and by domain. */
  readonly repelledByHost: readonly GroupId[];
  readonly repelledByDomain: readonly GroupId[];
}

/**
 * A cluster, compiled once: nodes are rows, pods and their shapes are numbers, capacities are columns,
 * topology is counts. Simulations work on this and leave it as they found it.
 */
export interface CompiledCluster {
  readonly objects: ClusterObjects;
  readonly settings: CompileSettings;
  readonly rows: readonly StateNode[];
  readonly space: RequirementSpace;
  readonly types: InstanceTypes;
  /** Pools that can launch, in order. */
  readonly templates: readonly Template[];
  /** Those that are ready and dynamic; without one Karpenter simulates nothing. */
  readonly pools: readonly NodePoolObject[];
  readonly poolByName: ReadonlyMap<string, NodePoolObject>;
  readonly requests: RequestTable;
  readonly groups: TopologyGroups;
  readonly counts: TopologyCounts;
  readonly shapes: PodShapes;
  /** Those that its pods have. */
  readonly shapesInUse: ReadonlySet<PodShape>;
  /** How many classes of nodes those tell apart, at most. */
  readonly nodeClasses: number;
  readonly nodeSets: NodeSets;
  readonly budgets: DisruptionBudgets;
  readonly limits: PoolLimits;
  readonly ports: NodePorts;
  readonly volumeLimits: VolumeLimits;
  /** By column of the request table: what each row has free. */
  readonly free: readonly Float64Array[];
  /**
   * By column: what pods that move to a row have to leave free, because it was requested there within the last 15 minutes. Pods
   * that have no place may use it, and leave less of it then. undefined: none.
   */
  readonly reserve: readonly Float64Array[] | undefined;
  readonly freeIndex: readonly FreeCapacityIndex[];
  /** Rows that pods may be placed on, candidates included. */
  readonly destinations: Bitset;
  /** Rows that the shield protects, destinations or not. */
  readonly shielded: Bitset;
  /** As destinations, without those. */
  readonly unshielded: Bitset;
  /** What DaemonSets ask for on each row in all, running or not. */
  readonly daemonReserve: readonly Float64Array[];
  readonly rowOfNode: ReadonlyMap<string, number>;
  /** An object of its storage, or a Namespace, that cannot be decoded and keeps the pod where it is. */
  undecodableOfPod(pod: PodObject): UndecodableObject | undefined;
  /** Objects that cannot be decoded and may concern any node. */
  readonly undecodableEverywhere: readonly UndecodableObject[];
  /** Those of `objects`, then the virtual pods of CapacityBuffers. */
  readonly pods: readonly PodObject[];
  readonly facts: readonly PodFacts[];
  /** Row that a pod is bound to, -1 for none. */
  readonly rowOfPod: Int32Array;
  readonly requestOfPod: Int32Array;
  /** Shape of pods that a simulation may place; undefined for the rest. */
  readonly shapeOfPod: readonly (PodShape | undefined)[];
  readonly membershipOfPod: readonly Membership[];
  /** Groups that select the same pods are one: numbers of groups mean nothing in another compiled cluster. */
  readonly groupsMerged: boolean;
  readonly volumesOfPod: ReadonlyMap<number, PodVolumes>;
  /** All pods bound to a row. */
  readonly podsOfRow: readonly (readonly number[])[];
  /** Those that would have to be placed elsewhere if the row went. */
  readonly movableOfRow: readonly (readonly number[])[];
  /** Pods that every simulation places: pending ones, and those of nodes on their way out. */
  readonly pending: readonly number[];
  readonly leaving: readonly number[];
  readonly bufferPlacements: BufferPlacements;
}
