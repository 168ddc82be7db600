import type { ClusterObjects, PodObject } from '../cluster/objects.ts';
import type { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import { isProvisionable, isTerminal } from '../cluster/pods.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { mayRoll } from '../disruption/rollouts.ts';
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
  /** Shapes in use, in the order of the pods. */
  readonly shapesInUse: Set<PodShape>;
  readonly volumesOfPod: Map<number, PodVolumes>;
  readonly podsOfRow: number[][];
  readonly movableOfRow: number[][];
  readonly pending: number[];
  readonly leaving: number[];
}

/** Pods processed before other work gets a turn. */
const PODS_AT_ONCE = 4096;
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
): Generator<void, PlacedPods> {
  const { shapes, spread, withoutTopology, space } = foundations;
  const rowOfNode = new Map<string, number>();
  rows.forEach(({ node }, row) => {
    if (node !== undefined) rowOfNode.set(node.name, row);
  });
  const volumes = cache.volumes(objects, compat);
  const { pods } = objects;
  const rowOfPlace = cache.pods.rowsOfPlaces(rowOfNode);
  const out: PlacedPods = {
    rowOfNode,
    rowOfPod: new Int32Array(pods.length).fill(-1),
    shapeOfPod: new Array(pods.length),
    shapesInUse: new Set(),
    volumesOfPod: new Map(),
    podsOfRow: rows.map(() => []),
    movableOfRow: rows.map(() => []),
    pending: [],
    leaving: [],
  };
  const inUse: boolean[] = [];
  const beyondLimit = pendingPodsBeyondLimit(pods);
  let work = 0;
  const setShape = (i: number, found: PodShape) => {
    out.shapeOfPod[i] = found;
    if (inUse[found.id] !== true) out.shapesInUse.add(found);
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
    const own = facts[i];
    if (own.place < 0) {
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
    const row = rowOfPlace[own.place];
    if (row < 0) continue;
    out.rowOfPod[i] = row;
    out.podsOfRow[row].push(i);
    const movable =
      own.reschedulable &&
      rows[row].tracked &&
      (budgets.letsGo(pods[i], own) || (rollouts && mayRoll(objects, pods[i])));
    if (movable) {
      out.movableOfRow[row].push(i);
      if (rows[row].deleting) out.leaving.push(i);
    }
    // Pods that stay matter too: by their anti-affinity and their volumes.
    if (movable || own.hasVolumes || own.repels) shape(pods[i], i);
  }
  if (constrained.size === 0) return out;
  yield;
  const hosts = new PossibleHosts(rows, foundations);
  for (const [i, bare] of constrained) {
    if (++work >= PODS_AT_ONCE) {
      work = 0;
      yield;
    }
    if (hosts.has(pods[i], bare)) shape(pods[i], i);
    else setShape(i, bare);
  }
  return out;
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
