import { addBit, bitset, isEmptyBitset } from '../cluster/bitset.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import { RequestTable } from '../cluster/request-table.ts';
import { joinNodesAndClaims } from '../cluster/state-nodes.ts';
import { RequirementSpace } from '../selection/requirement-space.ts';
import type { CompiledCluster, CompileSettings } from './compiled-cluster.ts';
import { DaemonSets, daemonPods } from './daemon-sets.ts';
import { FreeCapacity } from './free-capacity.ts';
import { InstanceTypes, openLabels } from './instance-types.ts';
import { NodePorts } from './node-ports.ts';
import { freeCapacity, isDestination, shieldedRows, without } from './node-room.ts';
import { NodeSets } from './node-sets.ts';
import { PodShapes } from './pod-shapes.ts';
import { PoolLimits } from './pool-limits.ts';
import { countRunningPods, membershipIn, sortOutPods } from './running-pods.ts';
import { launchingPools, makeTemplates } from './templates.ts';
import { TopologyCounts } from './topology-counts.ts';
import { TopologyGroups } from './topology-groups.ts';
import { VolumeLimits } from './volume-limits.ts';

export function compile(objects: ClusterObjects, settings: CompileSettings): CompiledCluster {
  const rows = joinNodesAndClaims(objects.nodes, objects.nodeClaims);
  const space = new RequirementSpace(openLabels(objects.instanceTypes));
  const requests = new RequestTable();
  const daemons = daemonPods(objects.daemonSets, objects.pods);
  for (const daemon of daemons) requests.idOf(daemon.requests);
  const requestOfPod = Int32Array.from(objects.pods, (pod) => requests.idOf(pod.requests));
  requests.seal();

  const types = new InstanceTypes(objects.instanceTypes, space, requests, (settings.nodeSurchargeCents ?? 0) / 100);
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
  const placed = sortOutPods(objects, rows, shapes, budgets, space.open);
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
    limits: new PoolLimits(templates, types, rows, settings.compat),
    ports: new NodePorts(objects.pods, placed.podsOfRow),
    volumeLimits,
    free,
    freeIndex: free.map((column, d) => new FreeCapacity(column, requests.column(d))),
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
