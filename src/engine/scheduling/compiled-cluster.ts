import type { Bitset } from '../cluster/bitset.ts';
import type { ClusterObjects, NodePoolObject, PodObject } from '../cluster/objects.ts';
import type { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import type { RequestTable } from '../cluster/request-table.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import type { UndecodableObject } from '../cluster/undecodable.ts';
import type { RowFacts } from '../disruption/row-facts.ts';
import type { KarpenterVersion } from '../karpenter-release.ts';
import type { RequirementSpace } from '../selection/requirement-space.ts';
import type { BufferPlacements } from './buffer-placements.ts';
import type { FreeCapacityIndex } from './free-capacity-index.ts';
import type { GroupId } from './group-rules.ts';
import type { InstanceTypes } from './instance-types.ts';
import type { MembershipAmong } from './memberships.ts';
import type { NodePorts } from './node-ports.ts';
import type { NodeSets } from './node-sets.ts';
import type { PodFacts } from './pod-facts.ts';
import type { PodShape, PodShapes } from './pod-shapes.ts';
import type { PoolLimits } from './pool-limits.ts';
import type { Template } from './templates.ts';
import type { TopologyCounts } from './topology-counts.ts';
import type { TopologyGroups } from './topology-groups.ts';
import type { VolumeLimits } from './volume-limits.ts';
import type { PodVolumes, Volumes } from './volumes.ts';

export interface CompileSettings {
  /** Reproduce Karpenter exactly, including its known quirks. */
  readonly compat: boolean;
  /** Try pods on nodes in the order of their names, as Karpenter does; default: oldest first, unless compat. */
  readonly nodesByName?: boolean;
  /** The release of Karpenter to reproduce; default: the newest. */
  readonly karpenter?: KarpenterVersion;
  /** Moved pods are not placed on nodes inside their own consolidateAfter window. */
  readonly shieldDestinations: boolean;
  /** Cheaper types required to replace spot by spot; with fewer, a node would be replaced again and again. */
  readonly spotToSpotTypes: number;
  readonly spotToSpotShrink?: boolean;
  /** Cents per hour that every node costs besides its price, old or new. */
  readonly nodeSurchargeCents?: number;
  readonly destinationLifetime?: boolean;
  readonly spotInterruptionsPerHour?: number;
  /** Pods may be rolled instead of evicted. */
  readonly rollouts?: boolean;
}

/** Topology groups of a pod by its labels. */
export interface Membership {
  /** Groups that count it while it runs. */
  readonly running: readonly GroupId[];
  /** Groups whose constraint selects the pod: placing it changes their counts. */
  readonly counted: readonly GroupId[];
  /** Inverse groups that repel it, by host and by domain. */
  readonly repelledByHost: readonly GroupId[];
  readonly repelledByDomain: readonly GroupId[];
}

/**
 * A compiled cluster: nodes are rows, pods and shapes are numbers, capacities are columns, topology is counts.
 * Simulations undo all their changes.
 */
export interface CompiledCluster {
  readonly objects: ClusterObjects;
  readonly settings: CompileSettings;
  readonly rows: readonly StateNode[];
  readonly space: RequirementSpace;
  readonly types: InstanceTypes;
  /** Pools that can launch, in order. */
  readonly templates: readonly Template[];
  /** Ready and dynamic pools; without one Karpenter simulates nothing. */
  readonly pools: readonly NodePoolObject[];
  readonly poolByName: ReadonlyMap<string, NodePoolObject>;
  readonly requests: RequestTable;
  readonly groups: TopologyGroups;
  readonly counts: TopologyCounts;
  readonly shapes: PodShapes;
  /** Shapes of its pods, and perhaps of pods that are gone. */
  readonly shapesInUse: ReadonlySet<PodShape>;
  /** Upper bound on the classes of nodes that these distinguish. */
  readonly nodeClasses: number;
  readonly nodeSets: NodeSets;
  readonly budgets: DisruptionBudgets;
  readonly limits: PoolLimits;
  readonly ports: NodePorts;
  readonly volumeLimits: VolumeLimits;
  /** By column of the request table: free amounts per row. */
  readonly free: readonly Float64Array[];
  /**
   * By column: what moved pods must leave free on a row, because it was requested there within the last 15 minutes.
   * Pods without a place may use it, and then leave less. undefined if none.
   */
  readonly reserve: readonly Float64Array[] | undefined;
  readonly freeIndex: readonly FreeCapacityIndex[];
  /** Of what moved pods may use: without the reserve. */
  readonly moveIndex: readonly FreeCapacityIndex[];
  /** Rows that pods may be placed on, candidates included. */
  readonly destinations: Bitset;
  /** Rows that the shield protects, destinations or not. */
  readonly shielded: Bitset;
  /** As destinations, without those. */
  readonly unshielded: Bitset;
  readonly rowOfNode: ReadonlyMap<string, number>;
  /** An object of the pod's storage, or its Namespace, that cannot be decoded and keeps the pod on its node. */
  undecodableOfPod(pod: PodObject): UndecodableObject | undefined;
  /** Objects that cannot be decoded and may affect any node. */
  readonly undecodableEverywhere: readonly UndecodableObject[];
  /** Those of `objects`, then the virtual pods of CapacityBuffers. */
  readonly pods: readonly PodObject[];
  readonly facts: readonly PodFacts[];
  /** Row that a pod is bound to, -1 for none. */
  readonly rowOfPod: Int32Array;
  readonly requestOfPod: Int32Array;
  /** Shape of pods that a simulation may place; undefined for others. */
  readonly shapeOfPod: readonly (PodShape | undefined)[];
  readonly membershipOfPod: readonly Membership[];
  /** The groups that memberships are among. */
  readonly membershipAmong: MembershipAmong;
  /** Groups that select the same pods are merged: numbers of groups mean nothing in another compiled cluster. */
  readonly groupsMerged: boolean;
  readonly volumes: Volumes;
  readonly volumesOfPod: ReadonlyMap<number, PodVolumes>;
  /** All pods bound to a row. */
  readonly podsOfRow: readonly (readonly number[])[];
  /** Read by `rowFacts`. */
  readonly rowFacts: (RowFacts | undefined)[];
  /** Pods that would have to be placed elsewhere if the row is removed. */
  readonly movableOfRow: readonly (readonly number[])[];
  /** Rows with pods that may move only after some time. */
  readonly timedRows: ReadonlySet<number>;
  /** Pods that every simulation places: pending ones, and those of nodes being deleted. */
  readonly pending: readonly number[];
  readonly leaving: readonly number[];
  readonly bufferPlacements: BufferPlacements;
}
