import { addBit, bitset, hasBit } from '../cluster/bitset.ts';
import { withNominatedOnNodes } from '../cluster/nominated-pods.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { isSameList } from '../cluster/same-list.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { undecodableEverywhere, undecodableOfPods } from '../cluster/undecodable.ts';
import { virtualPods } from '../cluster/virtual-pods.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import { releaseOf } from '../karpenter-release.ts';
import type { RequirementSpace } from '../selection/requirement-space.ts';
import { resultOf } from '../steps.ts';
import { type BufferPlacements, bufferPlacements } from './buffer-placements.ts';
import { capacityIndexes } from './capacity-indexes.ts';
import { type CarryOver, carryOver } from './carry-over.ts';
import { CompileCache } from './compile-cache.ts';
import type { CompiledCluster, CompileSettings } from './compiled-cluster.ts';
import { freeCapacity, isDestination, shieldedRows, without } from './destinations.ts';
import { mergeEqualGroups } from './equal-groups.ts';
import { membershipsOf } from './memberships.ts';
import { NodePorts } from './node-ports.ts';
import { NodeSets } from './node-sets.ts';
import type { PodShape } from './pod-shapes.ts';
import { PoolLimits } from './pool-limits.ts';
import { countRunningPods, recountPods, sortOutPods } from './running-pods.ts';
import { TopologyCounts } from './topology-counts.ts';
import { TopologyGroups } from './topology-groups.ts';
import { VolumeLimits } from './volume-limits.ts';

export function compile(objects: ClusterObjects, settings: CompileSettings, cache?: CompileCache): CompiledCluster {
  return resultOf(compileSteps(objects, settings, cache));
}

/**
 * As `compile`, with pauses. `cache`: of earlier compilations of the same cluster, whose common parts are reused.
 * `last`: a compiled cluster that is no longer simulated; the result may share its parts.
 */
export function* compileSteps(
  given: ClusterObjects,
  settings: CompileSettings,
  cache = new CompileCache(),
  last?: CompiledCluster,
): Generator<void, CompiledCluster> {
  const virtual = virtualPods(given, settings.compat);
  const real = settings.compat ? given.pods : withNominatedOnNodes(given.pods);
  const all = virtual.length === 0 ? real : [...real, ...virtual];
  const objects = all === given.pods ? given : { ...given, pods: all };
  const rows = cache.join(objects.nodes, objects.nodeClaims, settings, objects.undecodable);
  yield;
  const { facts, requestOfPod, podBefore, ...foundations } = yield* cache.recall(objects, settings, last);
  yield;
  const { space, requests, types, pools, allTemplates, templates, daemonSets, shapes } = foundations;
  const budgets = cache.budgets(objects);
  const volumes = cache.volumes(objects, settings.compat);
  const carried =
    last !== undefined && podBefore !== undefined && maySharePods(last, { objects, settings, budgets, volumes })
      ? carryOver(last, objects, rows, podBefore)
      : undefined;
  const earlier = carried?.last;
  yield;
  const { placed, unchanged } = yield* sortOutPods(
    objects,
    facts,
    cache,
    rows,
    foundations,
    budgets,
    settings,
    carried,
  );
  yield;
  const shared = carried && groupsOver(rows, placed, carried);
  const groups = shared ?? TopologyGroups.of(shapes.rules, rows, allTemplates, types);
  const inGroups = shared && carried;
  if (inGroups === undefined) addRequestedDomains(groups, placed.shapesInUse, space);
  const among = inGroups?.last.membershipAmong ?? foundations.memberships.among(placed.shapesInUse, groups);
  const membershipOfPod = yield* membershipsOf(objects.pods, facts, among, inGroups);
  const grouped = yield* mergeEqualGroups(shapes.rules.list, { ...placed, membershipOfPod }, among.pairs, settings);
  yield;
  const counted = grouped.groupsMerged ? undefined : inGroups;
  const counts = new TopologyCounts(groups, rows, settings.compat, counted);
  yield;
  if (counted === undefined) yield* countRunningPods(objects.pods, grouped, placed, counts, rows);
  else recountPods(objects.pods, grouped, placed.rowOfPod, rows, counts, counted);
  yield;
  const pods = { facts, requestOfPod };
  const free = freeCapacity(pods, placed.podsOfRow, requests, rows, daemonSets, unchanged, earlier);
  yield;
  const poolNames = new Set(pools.map((p) => p.name));
  const others = {
    ...releaseOf(settings),
    ofType: (row: number) => {
      const { labels } = rows[row];
      const type = poolNames.has(labels[NODE_POOL] ?? '') ? types.ofNode(labels) : undefined;
      return type === undefined ? undefined : types.list[type].volumeLimits;
    },
  };
  const volumeLimits = new VolumeLimits(
    objects.csiNodes,
    rows,
    objects.pods,
    placed.podsOfRow,
    placed.volumesOfPod,
    others,
    unchanged,
    earlier?.volumeLimits,
  );
  const destinations = bitset(rows.length);
  for (let row = 0; row < rows.length; row++) {
    const isOpen =
      earlier !== undefined && unchanged[row] >= 0
        ? hasBit(earlier.destinations, unchanged[row])
        : isDestination(rows[row], row, free, requests, volumeLimits, settings);
    if (isOpen) addBit(destinations, row);
  }
  const shielded = settings.shieldDestinations ? shieldedRows(rows, pools, objects.nowMs) : bitset(rows.length);
  const { podsOfRow } = placed;
  const reserve = cache.peaks?.observe({ rows, free, requests, podsOfRow, ...pods }, objects.nowMs);
  const indexes = capacityIndexes({ free, reserve, requests }, carried?.keepsRows === true ? carried.last : undefined);
  const compiled: CompiledCluster = {
    objects: given,
    settings,
    rows,
    space,
    types,
    templates,
    pools,
    poolByName: new Map(objects.nodePools.map((p) => [p.name, p])),
    requests,
    groups,
    counts,
    shapes,
    nodeClasses: shapes.nodeClasses.length,
    nodeSets: carried?.hasSameRows ? carried.last.nodeSets : new NodeSets(rows, space, shapes.nodeClasses, carried),
    budgets,
    limits: new PoolLimits(templates, types, rows, settings.compat),
    ports: new NodePorts(objects.pods, placed.podsOfRow, unchanged, earlier?.ports),
    volumeLimits,
    free,
    reserve,
    ...indexes,
    destinations,
    shielded,
    unshielded: without(destinations, shielded),
    pods: objects.pods,
    facts,
    requestOfPod,
    undecodableOfPod: undecodableOfPods(objects),
    undecodableEverywhere: undecodableEverywhere(objects),
    volumes,
    ...placed,
    ...grouped,
    rowFacts: rows.map((_, row) => earlier?.rowFacts[unchanged[row]]),
    membershipAmong: among,
    bufferPlacements: NO_BUFFERS,
  };
  return virtual.length === 0 ? compiled : { ...compiled, bufferPlacements: bufferPlacements(compiled) };
}

const NO_BUFFERS: BufferPlacements = new Map();

function isRolledAlike(a: ClusterObjects, b: ClusterObjects): boolean {
  return isSameList(a.workloads, b.workloads) && isSameList(a.autoscalers ?? [], b.autoscalers ?? []);
}

/** Whether unchanged pods may move as before, and have the volumes that they had. */
function maySharePods(
  last: CompiledCluster,
  { objects, settings, budgets, volumes }: Pick<CompiledCluster, 'objects' | 'settings' | 'budgets' | 'volumes'>,
): boolean {
  return (
    last.settings === settings &&
    last.volumes === volumes &&
    !last.groupsMerged &&
    budgets.letsGoAs(last.budgets) &&
    (settings.rollouts !== true || isRolledAlike(last.objects, objects))
  );
}

/** The groups of the last cluster, unless pods need other ones, or are counted in another way. */
function groupsOver(
  rows: readonly StateNode[],
  { shapesInUse, leaving }: Pick<CompiledCluster, 'shapesInUse' | 'leaving'>,
  carried: CarryOver,
): TopologyGroups | undefined {
  const { last } = carried;
  if (shapesInUse !== last.shapesInUse || leaving.length + last.leaving.length > 0) return undefined;
  return last.groups.over(rows, carried);
}

/** Domains that only pods mention: a claim for them would be counted there. */
function addRequestedDomains(groups: TopologyGroups, shapes: Iterable<PodShape>, space: RequirementSpace): void {
  const seen = new Set<number>();
  for (const shape of shapes) {
    for (const stage of shape.stages) seen.add(stage.requirements).add(stage.strict);
    for (const id of shape.volumes) seen.add(id);
  }
  for (const [key, domains] of groups.keys) {
    if (domains.byHost) continue;
    for (const id of seen) for (const value of space.require(id, key)?.values ?? []) domains.idOf(value);
  }
}
