import { addBit, type Bitset, bitset, isEmptyBitset } from '../cluster/bitset.ts';
import type { ClusterObjects, Labels, NodePoolObject, PodObject } from '../cluster/objects.ts';
import { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import { isDaemonPod, isProvisionable, isTerminal } from '../cluster/pods.ts';
import { RequestTable } from '../cluster/request-table.ts';
import { conditionIsTrue, joinNodesAndClaims, type StateNode } from '../cluster/state-nodes.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import { RequirementSpace } from '../selection/requirement-space.ts';
import { DaemonSets, daemonPods } from './daemon-sets.ts';
import { FreeCapacity } from './free-capacity.ts';
import { InstanceTypes, openLabels } from './instance-types.ts';
import { NodePorts } from './node-ports.ts';
import { NodeSets } from './node-sets.ts';
import { isWorthPlacing } from './pending-pods.ts';
import { type PodShape, PodShapes } from './pod-shapes.ts';
import { PoolLimits } from './pool-limits.ts';
import { launchingPools, makeTemplates, type Template } from './templates.ts';
import { TopologyCounts } from './topology-counts.ts';
import { type GroupId, TopologyGroups } from './topology-groups.ts';
import { VolumeLimits } from './volume-limits.ts';
import { NO_VOLUMES, type PodVolumes, Volumes } from './volumes.ts';

export interface CompileSettings {
  /** Reproduce Karpenter to the letter, its slips included. */
  readonly compat: boolean;
  /** Pods that move by our doing do not land on nodes inside their own consolidateAfter window. */
  readonly shieldDestinations: boolean;
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
  /** Some NodePool is ready and dynamic; without one Karpenter simulates nothing. */
  readonly hasPools: boolean;
  readonly poolByName: ReadonlyMap<string, NodePoolObject>;
  readonly requests: RequestTable;
  readonly groups: TopologyGroups;
  readonly counts: TopologyCounts;
  readonly shapes: PodShapes;
  readonly nodeSets: NodeSets;
  readonly budgets: DisruptionBudgets;
  readonly limits: PoolLimits;
  readonly ports: NodePorts;
  readonly volumeLimits: VolumeLimits;
  /** By column of the request table: what each row has free. */
  readonly free: readonly Float64Array[];
  readonly freeIndex: readonly FreeCapacity[];
  /** Rows that pods may be placed on, candidates included. */
  readonly destinations: Bitset;
  /** Rows that the shield protects, destinations or not. */
  readonly shielded: Bitset;
  /** As destinations, without those. */
  readonly unshielded: Bitset;
  /** What DaemonSets ask for on each row in all, running or not. */
  readonly daemonReserve: readonly Float64Array[];
  readonly rowOfNode: ReadonlyMap<string, number>;
  /** Groups that a pod's labels put it into, for pods that are not in the list. */
  membershipFor(pod: PodObject): Membership;
  readonly pods: readonly PodObject[];
  /** Row that a pod is bound to, -1 for none. */
  readonly rowOfPod: Int32Array;
  readonly requestOfPod: Int32Array;
  /** Shape of pods that a simulation may place; undefined for the rest. */
  readonly shapeOfPod: readonly (PodShape | undefined)[];
  readonly membershipOfPod: readonly Membership[];
  readonly volumesOfPod: ReadonlyMap<number, PodVolumes>;
  /** All pods bound to a row. */
  readonly podsOfRow: readonly (readonly number[])[];
  /** Those that would have to be placed elsewhere if the row went. */
  readonly movableOfRow: readonly (readonly number[])[];
  /** Pods that every simulation places: pending ones, and those of nodes on their way out. */
  readonly pending: readonly number[];
  readonly leaving: readonly number[];
}

export function compile(objects: ClusterObjects, settings: CompileSettings): CompiledCluster {
  const rows = joinNodesAndClaims(objects.nodes, objects.nodeClaims);
  const space = new RequirementSpace(openLabels(objects.instanceTypes));
  const requests = new RequestTable();
  const daemons = daemonPods(objects.daemonSets, objects.pods);
  for (const daemon of daemons) requests.idOf(daemon.requests);
  const requestOfPod = Int32Array.from(objects.pods, (pod) => requests.idOf(pod.requests));
  requests.seal();

  const types = new InstanceTypes(objects.instanceTypes, space, requests);
  const pools = launchingPools(objects.nodePools);
  const allTemplates =
    types.count === 0 ? [] : makeTemplates(pools, types, space, objects.options.minValues === 'BestEffort');
  const templates = allTemplates.filter((t) => !isEmptyBitset(t.types));
  const daemonSets = new DaemonSets(daemons, requests, settings.compat);
  daemonSets.assign(templates, types, space);

  const groups = new TopologyGroups(rows, objects.namespaces, allTemplates, types, settings.compat);
  const shapes = new PodShapes(space, groups, {
    respectPreferences: objects.options.preferences === 'Respect',
    toleratePreferences: pools.some((p) => p.taints.some((t) => t.effect === 'PreferNoSchedule')),
  });
  const budgets = new DisruptionBudgets(objects.podDisruptionBudgets, objects.nowMs);
  const placed = sortOutPods(objects, rows, shapes, budgets, space);
  addRequestedDomains(groups, shapes, space);
  const memberships = membershipIn(groups);
  const membershipOfPod = objects.pods.map(memberships);
  const counts = new TopologyCounts(groups, rows);
  countRunningPods(objects.pods, membershipOfPod, placed, counts, rows);

  const daemonReserve = rows.map((node) => daemonSets.expectedOn(node));
  const free = freeCapacity(objects.pods, placed.rowOfPod, requestOfPod, requests, rows, daemonReserve);
  const volumeLimits = new VolumeLimits(objects.csiNodes, rows, objects.pods, placed.podsOfRow, placed.volumesOfPod);
  const destinations = bitset(rows.length);
  for (let row = 0; row < rows.length; row++) {
    if (isDestination(rows[row], row, free, requests, volumeLimits)) addBit(destinations, row);
  }
  const shielded = settings.shieldDestinations ? shieldedRows(rows, pools, objects.nowMs) : bitset(rows.length);
  return {
    objects,
    settings,
    rows,
    space,
    types,
    templates,
    hasPools: pools.length > 0,
    poolByName: new Map(objects.nodePools.map((p) => [p.name, p])),
    requests,
    groups,
    counts,
    shapes,
    nodeSets: new NodeSets(rows, space, shapes.nodeClasses),
    budgets,
    limits: new PoolLimits(templates, types, rows),
    ports: new NodePorts(objects.pods, placed.podsOfRow),
    volumeLimits,
    free,
    freeIndex: free.map((column) => new FreeCapacity(column)),
    destinations,
    shielded,
    unshielded: without(destinations, shielded),
    daemonReserve,
    pods: objects.pods,
    requestOfPod,
    membershipFor: memberships,
    membershipOfPod,
    ...placed,
  };
}

interface PlacedPods {
  readonly rowOfNode: ReadonlyMap<string, number>;
  readonly rowOfPod: Int32Array;
  readonly shapeOfPod: (PodShape | undefined)[];
  readonly volumesOfPod: Map<number, PodVolumes>;
  readonly podsOfRow: number[][];
  readonly movableOfRow: number[][];
  readonly pending: number[];
  readonly leaving: number[];
}

function sortOutPods(
  objects: ClusterObjects,
  rows: readonly StateNode[],
  shapes: PodShapes,
  budgets: DisruptionBudgets,
  space: RequirementSpace,
): PlacedPods {
  const rowOfNode = new Map<string, number>();
  rows.forEach(({ node }, row) => {
    if (node !== undefined) rowOfNode.set(node.name, row);
  });
  const volumes = new Volumes(objects.persistentVolumeClaims, objects.persistentVolumes, objects.storageClasses);
  const { pods } = objects;
  const out: PlacedPods = {
    rowOfNode,
    rowOfPod: new Int32Array(pods.length).fill(-1),
    shapeOfPod: new Array(pods.length),
    volumesOfPod: new Map(),
    podsOfRow: rows.map(() => []),
    movableOfRow: rows.map(() => []),
    pending: [],
    leaving: [],
  };
  const shape = (pod: PodObject, i: number) => {
    const own = pod.volumeClaims.length === 0 ? NO_VOLUMES : volumes.of(pod);
    if (own !== NO_VOLUMES) out.volumesOfPod.set(i, own);
    out.shapeOfPod[i] = shapes.shapeOf(pod, own);
  };
  for (let i = 0; i < pods.length; i++) {
    const pod = pods[i];
    if (pod.nodeName === '') {
      if (!isProvisionable(pod) || !isWorthPlacing(pod, volumes, space.open)) continue;
      out.pending.push(i);
      shape(pod, i);
      continue;
    }
    const row = rowOfNode.get(pod.nodeName);
    if (row === undefined) continue;
    out.rowOfPod[i] = row;
    out.podsOfRow[row].push(i);
    const movable = rows[row].tracked && budgets.isCurrentlyReschedulable(pod);
    if (movable) {
      out.movableOfRow[row].push(i);
      if (rows[row].deleting) out.leaving.push(i);
    }
    // Pods that stay matter too: by the anti-affinity that they have, and the volumes that they hold.
    if (movable || pod.volumeClaims.length > 0 || pod.constraints.requiredAntiAffinity.length > 0) shape(pod, i);
  }
  return out;
}

/** Domains that only pods speak of: a claim for them would be counted there. */
function addRequestedDomains(groups: TopologyGroups, shapes: PodShapes, space: RequirementSpace): void {
  const seen = new Set<number>();
  for (const shape of shapes.list) {
    for (const stage of shape.stages) seen.add(stage.requirements).add(stage.strict);
    for (const id of shape.volumes) seen.add(id);
  }
  for (const [key, domains] of groups.keys) {
    if (domains.byHost) continue;
    for (const id of seen) for (const value of space.require(id, key)?.values ?? []) domains.idOf(value);
  }
}

function membershipIn(groups: TopologyGroups): (pod: PodObject) => Membership {
  const byNamespace = new Map<string, Map<Labels, Membership>>();
  return (pod) => {
    let byLabels = byNamespace.get(pod.namespace);
    if (byLabels === undefined) {
      byLabels = new Map();
      byNamespace.set(pod.namespace, byLabels);
    }
    let found = byLabels.get(pod.labels);
    if (found === undefined) {
      const about = groups.about(pod.namespace, pod.labels);
      const inverse = about.filter((g) => groups.list[g].inverse);
      found = {
        running: groups.countingRunning(pod.namespace, pod.labels),
        counted: about.filter((g) => !groups.list[g].inverse),
        repelledByHost: inverse.filter((g) => groups.list[g].domains.byHost),
        repelledByDomain: inverse.filter((g) => !groups.list[g].domains.byHost),
      };
      byLabels.set(pod.labels, found);
    }
    return found;
  };
}

/** Pods that run and stay, by group and domain. Pods of nodes on their way out are placed anew in every simulation. */
function countRunningPods(
  pods: readonly PodObject[],
  memberships: readonly Membership[],
  placed: PlacedPods,
  counts: TopologyCounts,
  rows: readonly StateNode[],
): void {
  if (counts.groups.length === 0) return;
  const leaving = new Set(placed.leaving.filter((i) => placed.shapeOfPod[i]?.forgetsTopology === false));
  for (let i = 0; i < pods.length; i++) {
    const row = placed.rowOfPod[i];
    if (row < 0 || leaving.has(i)) continue;
    recountRunningPod(pods[i], memberships[i], placed.shapeOfPod[i], row, rows[row], counts, 1);
  }
  counts.settle();
}

/** Adds a running pod to the counts, or takes it out of them before it is placed anew. */
export function recountRunningPod(
  pod: PodObject,
  membership: Membership,
  shape: PodShape | undefined,
  row: number,
  node: StateNode,
  counts: TopologyCounts,
  delta: number,
): void {
  if (isTerminal(pod)) return;
  const { groups } = counts;
  if (!pod.terminating) {
    for (const g of membership.running) {
      const domain = groups[g].domains.ofNode[row];
      if (domain >= 0 && counts.counts(g, row)) counts.add(g, domain, delta);
    }
  }
  if (shape === undefined || !node.tracked) return;
  for (const g of shape.repels) {
    const domain = groups[g].domains.ofNode[row];
    if (domain >= 0) counts.add(g, domain, delta);
  }
}

/** Allocatable less what runs, less what DaemonSets will still ask for. */
function freeCapacity(
  pods: readonly PodObject[],
  rowOfPod: Int32Array,
  requestOfPod: Int32Array,
  requests: RequestTable,
  rows: readonly StateNode[],
  daemonReserve: readonly Float64Array[],
): Float64Array[] {
  const width = requests.dimensions.size;
  const free = Array.from({ length: width }, () => new Float64Array(rows.length));
  const running = Array.from({ length: width }, () => new Float64Array(rows.length));
  for (let i = 0; i < pods.length; i++) {
    const row = rowOfPod[i];
    if (row < 0 || isTerminal(pods[i])) continue;
    const amounts = requests.amounts(requestOfPod[i]);
    const daemon = isDaemonPod(pods[i]);
    for (let d = 0; d < width; d++) {
      free[d][row] -= amounts[d];
      if (daemon) running[d][row] += amounts[d];
    }
  }
  for (let row = 0; row < rows.length; row++) {
    const allocatable = requests.row(rows[row].allocatable);
    const expected = daemonReserve[row];
    for (let d = 0; d < width; d++) free[d][row] += allocatable[d] - Math.max(0, expected[d] - running[d][row]);
  }
  return free;
}

export function isDestination(
  node: StateNode,
  row: number,
  free: readonly Float64Array[],
  requests: RequestTable,
  volumeLimits: VolumeLimits,
): boolean {
  return node.tracked && !node.deleting && !volumeLimits.isExceeded(row) && !isOverdrawn(node, row, free, requests);
}

/** A node that is short of any resource that it has takes nothing; resources that it lacks count as none. */
function isOverdrawn(node: StateNode, row: number, free: readonly Float64Array[], requests: RequestTable): boolean {
  for (const [name, d] of requests.dimensions) {
    if (free[d][row] >= 0) continue;
    if (node.allocatable[name] !== undefined) return true;
    free[d][row] = 0;
  }
  return false;
}

/** Nodes inside their own consolidateAfter window. */
function shieldedRows(rows: readonly StateNode[], pools: readonly NodePoolObject[], nowMs: number): Bitset {
  const set = bitset(rows.length);
  const windows = new Map(pools.map((p) => [p.name, p.consolidateAfterMs ?? 0]));
  rows.forEach(({ claim, labels }, row) => {
    const window = windows.get(labels[NODE_POOL] ?? '') ?? 0;
    if (claim === undefined || window === 0 || !conditionIsTrue(claim, 'Initialized')) return;
    const since = claim.lastPodEventMs ?? claim.conditions.find((c) => c.type === 'Initialized')?.changedMs ?? 0;
    if (nowMs - since < window) addBit(set, row);
  });
  return set;
}

function without(set: Bitset, others: Bitset): Bitset {
  return set.map((word, w) => word & ~others[w]);
}
