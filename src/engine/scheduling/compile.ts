import { addBit, bitset } from '../cluster/bitset.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { undecodableEverywhere, undecodableOfPods } from '../cluster/undecodable.ts';
import { virtualPods } from '../cluster/virtual-pods.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import { releaseOf } from '../karpenter-release.ts';
import type { RequirementSpace } from '../selection/requirement-space.ts';
import { resultOf } from '../steps.ts';
import { type BufferPlacements, bufferPlacements } from './buffer-placements.ts';
import { CompileCache } from './compile-cache.ts';
import type { CompiledCluster, CompileSettings } from './compiled-cluster.ts';
import { freeCapacity, isDestination, shieldedRows, without } from './destinations.ts';
import { mergeEqualGroups } from './equal-groups.ts';
import { FreeCapacityIndex } from './free-capacity-index.ts';
import { membershipsOf } from './memberships.ts';
import { NodePorts } from './node-ports.ts';
import { NodeSets } from './node-sets.ts';
import type { PodShape } from './pod-shapes.ts';
import { PoolLimits } from './pool-limits.ts';
import { countRunningPods, sortOutPods } from './running-pods.ts';
import { TopologyCounts } from './topology-counts.ts';
import { TopologyGroups } from './topology-groups.ts';
import { atAnotherTime, isSameCluster } from './unchanged-cluster.ts';
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
  const objects = virtual.length === 0 ? given : { ...given, pods: [...given.pods, ...virtual] };
  const reserveOf = ({ free, requests }: Pick<CompiledCluster, 'free' | 'requests'>, nodes: CompiledCluster['rows']) =>
    cache.peaks?.observe(nodes, free, requests, objects.nowMs);
  const rows = cache.join(objects.nodes, objects.nodeClaims, settings, objects.undecodable);
  yield;
  if (last !== undefined && isSameCluster(last, objects, rows, settings))
    return atAnotherTime(last, given, rows, cache.budgets(objects), reserveOf(last, rows));
  const { facts, requestOfPod, ...foundations } = cache.recall(objects, settings);
  yield;
  const { space, requests, types, pools, allTemplates, templates, daemonSets, shapes } = foundations;
  const budgets = cache.budgets(objects);
  const placed = yield* sortOutPods(objects, facts, cache, rows, foundations, budgets, settings);
  const groups = new TopologyGroups(shapes.rules, rows, allTemplates, types);
  addRequestedDomains(groups, placed.shapesInUse, space);
  const among = foundations.memberships.among(placed.shapesInUse, groups);
  const memberships = yield* membershipsOf(objects.pods, facts, among);
  const grouped = yield* mergeEqualGroups(shapes.rules.list, { ...placed, membershipOfPod: memberships }, settings);
  yield;
  const counts = new TopologyCounts(groups, rows, settings.compat);
  yield;
  yield* countRunningPods(objects.pods, grouped, placed, counts, rows);

  yield;
  const daemonReserve = rows.map((node) => daemonSets.expectedOn(node));
  const free = freeCapacity(facts, placed.rowOfPod, requestOfPod, requests, rows, daemonReserve);
  yield;
  const poolNames = new Set(pools.map((p) => p.name));
  const volumeLimits = new VolumeLimits(objects.csiNodes, rows, objects.pods, placed.podsOfRow, placed.volumesOfPod, {
    ...releaseOf(settings),
    ofType: (row) => {
      const { labels } = rows[row];
      const type = poolNames.has(labels[NODE_POOL] ?? '') ? types.ofNode(labels) : undefined;
      return type === undefined ? undefined : types.list[type].volumeLimits;
    },
  });
  const destinations = bitset(rows.length);
  for (let row = 0; row < rows.length; row++) {
    if (isDestination(rows[row], row, free, requests, volumeLimits, settings)) addBit(destinations, row);
  }
  const shielded = settings.shieldDestinations ? shieldedRows(rows, pools, objects.nowMs) : bitset(rows.length);
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
    nodeSets: new NodeSets(rows, space, shapes.nodeClasses),
    budgets,
    limits: new PoolLimits(templates, types, rows, settings.compat),
    ports: new NodePorts(objects.pods, placed.rowOfPod),
    volumeLimits,
    free,
    reserve: reserveOf({ free, requests }, rows),
    freeIndex: free.map((column, d) => new FreeCapacityIndex(column, requests.askedOf(d))),
    destinations,
    shielded,
    unshielded: without(destinations, shielded),
    daemonReserve,
    pods: objects.pods,
    facts,
    requestOfPod,
    undecodableOfPod: undecodableOfPods(objects),
    undecodableEverywhere: undecodableEverywhere(objects),
    ...placed,
    ...grouped,
    bufferPlacements: NO_BUFFERS,
  };
  return virtual.length === 0 ? compiled : { ...compiled, bufferPlacements: bufferPlacements(compiled) };
}

const NO_BUFFERS: BufferPlacements = new Map();

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
