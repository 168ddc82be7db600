import type { ClusterObjects, PodObject } from '../cluster/objects.ts';
import type { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import { isProvisionable, isTerminal } from '../cluster/pods.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { mayRoll } from '../disruption/rollouts.ts';
import { type CarryOver, podsOf } from './carry-over.ts';
import type { CompileCache, Foundations } from './compile-cache.ts';
import type { CompileSettings, Membership } from './compiled-cluster.ts';
import type { GroupedPods } from './equal-groups.ts';
import type { GroupId } from './group-rules.ts';
import { pendingPodsBeyondLimit } from './pending-constraints.ts';
import { isWorthPlacing } from './pending-pods.ts';
import type { PodFacts } from './pod-facts.ts';
import type { PodShape } from './pod-shapes.ts';
import { hasTopology, PossibleHosts } from './possible-hosts.ts';
import type { TopologyCounts } from './topology-counts.ts';
import { NO_VOLUMES, type PodVolumes } from './volumes.ts';

/** Pods by place, and how a simulation treats them. */
export interface PlacedPods {
  readonly rowOfNode: ReadonlyMap<string, number>;
  readonly rowOfPod: Int32Array;
  readonly shapeOfPod: (PodShape | undefined)[];
  /** Shapes in use, in the order of the pods; those of the last cluster if there is no other. */
  readonly shapesInUse: ReadonlySet<PodShape>;
  readonly volumesOfPod: Map<number, PodVolumes>;
  readonly podsOfRow: readonly (readonly number[])[];
  readonly movableOfRow: readonly (readonly number[])[];
  /** Rows with pods that may move only after some time. */
  readonly timedRows: ReadonlySet<number>;
  readonly pending: number[];
  readonly leaving: number[];
}

/** Pods processed before other work gets a turn. */
const PODS_AT_ONCE = 4096;

export interface SortedPods {
  readonly placed: PlacedPods;
  /** By row: its earlier number if it is the same machine with the same pods, -1 if it has to be compiled again. */
  readonly unchanged: Int32Array;
}

/** Cost of a pod with new affinity, anti-affinity or spread, in other pods. */
const NEW_TOPOLOGY = 256;

export function* sortOutPods(
  objects: ClusterObjects,
  facts: readonly PodFacts[],
  cache: CompileCache,
  rows: readonly StateNode[],
  foundations: Foundations,
  budgets: DisruptionBudgets,
  { compat, rollouts = false }: CompileSettings,
  carried?: CarryOver,
): Generator<void, SortedPods> {
  const { shapes, spread, withoutTopology, space } = foundations;
  const last = carried?.last;
  const rowOfNode = carried?.hasSameRows === true ? carried.last.rowOfNode : rowsOfNodes(rows);
  const volumes = cache.volumes(objects, compat);
  const { pods } = objects;
  const { rowOfPod, unchanged } = placesOf(pods, rowOfNode, rows, carried);
  yield;
  const podsOfRow: (readonly number[])[] = new Array(rows.length);
  const movableOfRow: (readonly number[])[] = new Array(rows.length);
  for (let row = 0; row < rows.length; row++) {
    const before = unchanged[row];
    podsOfRow[row] = carried === undefined || before < 0 ? [] : podsOf(carried.last.podsOfRow[before], carried);
    movableOfRow[row] = carried === undefined || before < 0 ? [] : podsOf(carried.last.movableOfRow[before], carried);
  }
  const timedRows = new Set<number>();
  const shapesInUse = new Set(last?.shapesInUse);
  const out: PlacedPods = {
    rowOfNode,
    rowOfPod,
    shapeOfPod: new Array(pods.length),
    shapesInUse,
    volumesOfPod: volumesKept(carried, unchanged),
    podsOfRow,
    movableOfRow,
    timedRows,
    pending: [],
    leaving: [],
  };
  const inUse: boolean[] = [];
  for (const { id } of shapesInUse) inUse[id] = true;
  const beyondLimit = pendingPodsBeyondLimit(pods);
  let work = 0;
  const setShape = (i: number, found: PodShape) => {
    out.shapeOfPod[i] = found;
    if (inUse[found.id] !== true) shapesInUse.add(found);
    inUse[found.id] = true;
  };
  const volumesOf = (pod: PodObject, i: number) => {
    const known = facts[i];
    if (!known.hasVolumes) return NO_VOLUMES;
    if (known.volumesBy !== volumes || known.volumes === undefined) {
      known.volumes = volumes.of(pod);
      known.volumesBy = volumes;
      known.shape = undefined;
    }
    out.volumesOfPod.set(i, known.volumes);
    return known.volumes;
  };
  const shape = (pod: PodObject, i: number) => {
    const own = volumesOf(pod, i);
    const before = shapes.list.length;
    facts[i].shape ??= shapes.shapeOf(own.unresolved ? pod : spread.applied(pod), own);
    if (shapes.list.length > before && hasTopology(pod.constraints)) work += NEW_TOPOLOGY;
    setShape(i, facts[i].shape);
  };
  /** Pending pods whose topology matters only if a node could host them; by their shapes without it. */
  const constrained = new Map<number, PodShape>();
  // The common case only reads cached facts.
  for (let i = 0; i < pods.length; i++) {
    if (++work >= PODS_AT_ONCE) {
      work = 0;
      yield;
    }
    const row = rowOfPod[i];
    if (row >= 0 && unchanged[row] >= 0) {
      out.shapeOfPod[i] = last?.shapeOfPod[carried?.podBefore[i] ?? 0];
      continue;
    }
    const own = facts[i];
    if (pods[i].nodeName === '') {
      if (!isProvisionable(pods[i])) continue;
      // Karpenter does not check the requests of virtual pods.
      if (pods[i].capacityBuffer === undefined && !isWorthPlacing(pods[i], volumes, space.open)) continue;
      if (beyondLimit.has(pods[i])) continue;
      out.pending.push(i);
      // Karpenter creates groups for such pods too, and others may share them.
      if (compat || !hasTopology(pods[i].constraints)) shape(pods[i], i);
      else constrained.set(i, shapes.shapeOf(withoutTopology.of(pods[i]), volumesOf(pods[i], i)));
      continue;
    }
    if (row < 0) continue;
    (podsOfRow[row] as number[]).push(i);
    if (own.peculiar && pods[i].doNotDisrupt !== undefined && pods[i].doNotDisrupt !== 'true') timedRows.add(row);
    const movable =
      own.reschedulable &&
      rows[row].tracked &&
      (budgets.letsGo(pods[i], own) || (rollouts && mayRoll(objects, pods[i])));
    if (movable) {
      (movableOfRow[row] as number[]).push(i);
      if (rows[row].deleting) out.leaving.push(i);
    }
    // Pods that stay matter too: by their anti-affinity and their volumes.
    if (movable || own.hasVolumes || own.repels) shape(pods[i], i);
  }
  yield;
  const hosts = constrained.size > 0 ? new PossibleHosts(rows, foundations) : undefined;
  for (const [i, bare] of constrained) {
    if (++work >= PODS_AT_ONCE) {
      work = 0;
      yield;
    }
    if (hosts?.has(pods[i], bare)) shape(pods[i], i);
    else setShape(i, bare);
  }
  if (last === undefined) return { placed: out, unchanged };
  const inUseNow =
    shapesInUse.size === last.shapesInUse.size
      ? last.shapesInUse
      : new Set(out.shapeOfPod.filter((each) => each !== undefined));
  return { placed: { ...out, shapesInUse: inUseNow }, unchanged };
}

function rowsOfNodes(rows: readonly StateNode[]): ReadonlyMap<string, number> {
  const out = new Map<string, number>();
  rows.forEach(({ node }, row) => {
    if (node !== undefined) out.set(node.name, row);
  });
  return out;
}

function placesOf(
  pods: readonly PodObject[],
  rowOfNode: ReadonlyMap<string, number>,
  rows: readonly StateNode[],
  carried: CarryOver | undefined,
): { readonly rowOfPod: Int32Array; readonly unchanged: Int32Array } {
  const rowOfPod = new Int32Array(pods.length);
  const unchanged = carried?.rowBefore.slice() ?? new Int32Array(rows.length).fill(-1);
  const lookUp = (pod: number) => {
    const row = rowOfNode.get(pods[pod].nodeName) ?? -1;
    if (row >= 0) unchanged[row] = -1;
    return row;
  };
  if (carried === undefined) {
    for (let i = 0; i < rowOfPod.length; i++) rowOfPod[i] = lookUp(i);
    return { rowOfPod, unchanged };
  }
  const { last, podBefore, podNow, rowNow } = carried;
  // Pods of nodes being deleted are listed in the order of all pods.
  for (let row = 0; row < rows.length; row++) if (rows[row].deleting) unchanged[row] = -1;
  for (const row of last.timedRows) if (rowNow[row] >= 0) unchanged[rowNow[row]] = -1;
  const rowOfEarlier = (pod: number) => (last.rowOfPod[pod] < 0 ? -1 : rowNow[last.rowOfPod[pod]]);
  for (let i = 0; i < rowOfPod.length; i++) {
    const row = podBefore[i] < 0 ? -1 : rowOfEarlier(podBefore[i]);
    rowOfPod[i] = row >= 0 ? row : lookUp(i);
  }
  for (let pod = 0; pod < podNow.length; pod++) {
    const row = podNow[pod] < 0 ? rowOfEarlier(pod) : -1;
    if (row >= 0) unchanged[row] = -1;
  }
  return { rowOfPod, unchanged };
}

function volumesKept(carried: CarryOver | undefined, unchanged: Int32Array): Map<number, PodVolumes> {
  const out = new Map<number, PodVolumes>();
  if (carried === undefined) return out;
  const { last, podNow, rowNow } = carried;
  for (const [pod, volumes] of last.volumesOfPod) {
    const row = last.rowOfPod[pod] < 0 ? -1 : rowNow[last.rowOfPod[pod]];
    if (row >= 0 && unchanged[row] >= 0) out.set(podNow[pod], volumes);
  }
  return out;
}

/** Counts of the last cluster, changed by the pods that came, went or are on another machine now. */
export function recountPods(
  pods: readonly PodObject[],
  { membershipOfPod, shapeOfPod }: Pick<GroupedPods, 'membershipOfPod' | 'shapeOfPod'>,
  rowOfPod: Int32Array,
  rows: readonly StateNode[],
  counts: TopologyCounts,
  { last, podBefore, podNow, rowNow }: CarryOver,
): void {
  if (counts.groups.length === 0) return;
  const recount = (of: TopologyCounts) => ({
    groups: of.groups,
    hostsNeedLabel: of.hostsNeedLabel,
    counts: (group: GroupId, row: number) => of.counts(group, row),
    add: (group: GroupId, domain: number, delta: number) => counts.change(group, domain, delta),
  });
  const [before, now] = [recount(last.counts), recount(counts)];
  const isKept = (earlier: number, pod: number) => {
    const row = last.rowOfPod[earlier];
    return row < 0 ? rowOfPod[pod] < 0 : rowNow[row] === rowOfPod[pod] && rowNow[row] >= 0;
  };
  for (let i = 0; i < podNow.length; i++) {
    const row = last.rowOfPod[i];
    if (row < 0 || (podNow[i] >= 0 && isKept(i, podNow[i]))) continue;
    recountRunningPod(last.pods[i], last.membershipOfPod[i], last.shapeOfPod[i], row, last.rows[row], before, -1);
  }
  for (let i = 0; i < podBefore.length; i++) {
    const row = rowOfPod[i];
    if (row < 0 || (podBefore[i] >= 0 && isKept(podBefore[i], i))) continue;
    recountRunningPod(pods[i], membershipOfPod[i], shapeOfPod[i], row, rows[row], now, 1);
  }
}

/** Running pods that stay, by group and domain. Pods of nodes being deleted are placed again in every simulation. */
export function* countRunningPods(
  pods: readonly PodObject[],
  { membershipOfPod, shapeOfPod }: GroupedPods,
  placed: PlacedPods,
  counts: TopologyCounts,
  rows: readonly StateNode[],
): Generator<void, void> {
  if (counts.groups.length === 0) return;
  const leaving = new Set(placed.leaving.filter((i) => shapeOfPod[i]?.forgetsTopology === false));
  const forGood = {
    groups: counts.groups,
    hostsNeedLabel: counts.hostsNeedLabel,
    counts: (group: GroupId, row: number) => counts.counts(group, row),
    add: (group: GroupId, domain: number, delta: number) => counts.change(group, domain, delta),
  };
  let work = 0;
  for (let i = 0; i < pods.length; i++) {
    const row = placed.rowOfPod[i];
    const shape = shapeOfPod[i];
    if (membershipOfPod[i].running.length === 0 && (shape === undefined || shape.repels.length === 0)) continue;
    if (row < 0 || leaving.has(i)) continue;
    if (++work % PODS_AT_ONCE === 0) yield;
    recountRunningPod(pods[i], membershipOfPod[i], shape, row, rows[row], forGood, 1);
  }
}

/** Adds a running pod to the counts, or removes it before it is placed again. */
export function recountRunningPod(
  pod: PodObject,
  membership: Membership,
  shape: PodShape | undefined,
  row: number,
  node: StateNode,
  counts: Pick<TopologyCounts, 'groups' | 'counts' | 'add' | 'hostsNeedLabel'>,
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
  const isHost = !counts.hostsNeedLabel || node.labels[HOSTNAME] !== undefined;
  for (const g of shape.repels) {
    const { ofNode, byHost } = groups[g].domains;
    if (ofNode[row] >= 0 && (!byHost || isHost)) counts.add(g, ofNode[row], delta);
  }
}
