import type { ClusterObjects } from '../cluster/objects.ts';
import type { DisruptionBudgets } from '../cluster/pod-disruption-budgets.ts';
import { isSameMachine, type StateNode } from '../cluster/state-nodes.ts';
import type { CompiledCluster, CompileSettings } from './compiled-cluster.ts';
import { shieldedRows, without } from './node-room.ts';

/** Whether the cluster, its pods and virtual pods, is the one that was compiled, but for the time and what only gates read. */
export function isCompiledAlike(
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
    areSame(last.pods, objects.pods) &&
    ALIKE.every((kind) => areSame(before[kind], objects[kind])) &&
    last.rows.length === rows.length &&
    last.rows.every((row, i) => isSameMachine(row, rows[i])) &&
    // Whether these may be moved is a matter of time.
    !last.facts.some((facts, i) => facts.peculiar && last.pods[i].doNotDisrupt !== undefined)
  );
}

const ALIKE = [
  'nodePools',
  'daemonSets',
  'podDisruptionBudgets',
  'persistentVolumes',
  'persistentVolumeClaims',
  'storageClasses',
  'csiNodes',
  'namespaces',
  'undecodable',
] as const;

/** The very same things in the same order. */
export function areSame(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** What was compiled, as it is now. The two share what simulations work on. */
export function compiledAgain(
  last: CompiledCluster,
  objects: ClusterObjects,
  rows: readonly StateNode[],
  budgets: DisruptionBudgets,
): CompiledCluster {
  const shielded = last.settings.shieldDestinations ? shieldedRows(rows, last.pools, objects.nowMs) : last.shielded;
  return { ...last, objects, rows, budgets, shielded, unshielded: without(last.destinations, shielded) };
}
