import type { ClusterObjects } from '../cluster/objects.ts';
import type { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import { isSameList } from '../cluster/same-list.ts';
import { isSameMachine, type StateNode } from '../cluster/state-nodes.ts';
import type { CompiledCluster, CompileSettings } from './compiled-cluster.ts';
import { shieldedRows, without } from './destinations.ts';

/** Whether the cluster with its virtual pods equals the compiled one, except for the time and what only gates read. */
export function isSameCluster(
  last: CompiledCluster,
  objects: ClusterObjects,
  rows: readonly StateNode[],
  settings: CompileSettings,
): boolean {
  const before = last.objects;
  return (
    last.settings === settings &&
    before.options === objects.options &&
    before.instanceTypes === objects.instanceTypes &&
    isSameList(last.pods, objects.pods) &&
    COMPILED_KINDS.every((kind) => isSameList(before[kind], objects[kind])) &&
    (settings.rollouts !== true || isRolledAlike(before, objects)) &&
    last.rows.length === rows.length &&
    last.rows.every((row, i) => isSameMachine(row, rows[i])) &&
    // Whether these may be moved depends on time.
    last.timedRows.size === 0
  );
}

export function isRolledAlike(a: ClusterObjects, b: ClusterObjects): boolean {
  return isSameList(a.workloads, b.workloads) && isSameList(a.autoscalers ?? [], b.autoscalers ?? []);
}

const COMPILED_KINDS = [
  'nodePools',
  'daemonSets',
  'podDisruptionBudgets',
  'persistentVolumes',
  'persistentVolumeClaims',
  'storageClasses',
  'csiNodes',
  'namespaces',
  'nodeOverlays',
  'undecodable',
] as const;

/** The compiled cluster at another time. Both share the state of simulations. */
export function atAnotherTime(
  last: CompiledCluster,
  objects: ClusterObjects,
  rows: readonly StateNode[],
  budgets: DisruptionBudgets,
  reserve: CompiledCluster['reserve'],
): CompiledCluster {
  const shielded = last.settings.shieldDestinations ? shieldedRows(rows, last.pools, objects.nowMs) : last.shielded;
  return { ...last, objects, rows, budgets, reserve, shielded, unshielded: without(last.destinations, shielded) };
}
