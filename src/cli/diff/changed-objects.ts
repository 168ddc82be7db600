import type { Reading } from '../input/load-input.ts';

interface Named {
  readonly namespace?: string;
  readonly name: string;
}

type Side = Pick<Reading, 'objects' | 'policies'>;

/** Kinds that a change may be about. Of others a manifest does not say what decisions need: their status. */
const LISTS = ['nodePools', 'nodeOverlays', 'capacityBuffers', 'daemonSets', 'storageClasses', 'podTemplates'] as const;

/**
 * The cluster with the objects of `own` in place of its own. What only `other` has is not there: it was removed by the
 * change, or is added by it. The cluster keeps its status.
 */
export function withObjectsOf({ objects, policies }: Side, own: Side | undefined, other: Side | undefined): Side {
  // What a change adds is not in the cluster as it is, which has everything else.
  const changed = LISTS.map((list) => [
    list,
    merged<Named>(objects[list], own?.objects[list], other?.objects[list] ?? []),
  ]);
  return {
    objects: { ...objects, ...Object.fromEntries(changed) },
    policies: merged(policies, own?.policies, other?.policies ?? []),
  };
}

/** `own` undefined: the cluster as it is. */
function merged<T extends Named>(all: readonly T[], own: readonly T[] | undefined, other: readonly T[]): readonly T[] {
  if (own === undefined) return all;
  const ownKeys = new Set(own.map(keyOf));
  const otherKeys = new Set(other.map(keyOf));
  const before = new Map(all.map((object) => [keyOf(object), object]));
  const staying = all.filter((object) => !ownKeys.has(keyOf(object)) && !otherKeys.has(keyOf(object)));
  return [...staying, ...own.map((object) => withStatusOf(object, before.get(keyOf(object))))];
}

/** A new object is taken to be ready. */
function withStatusOf<T extends Named>(object: T, before: T | undefined): T {
  if (!('ready' in object)) return object;
  return {
    ...object,
    ...(before === undefined ? {} : identityOf(before)),
    ready: before === undefined || statusOf(before),
  };
}

function identityOf(object: object): object {
  return 'uid' in object ? { uid: object.uid } : {};
}

function statusOf(object: object): unknown {
  return 'ready' in object ? object.ready : true;
}

function keyOf({ namespace = '', name }: Named): string {
  return `${namespace}/${name}`;
}

/** Objects of a change that are not compared, in words; empty: all are. */
export function notCompared({ objects }: Side): string {
  const { podDisruptionBudgets, workloads, pods, nodes } = objects;
  const counts = Object.entries({
    PodDisruptionBudget: podDisruptionBudgets,
    workload: workloads,
    pod: pods,
    node: nodes,
  });
  return counts
    .filter(([, list]) => list.length > 0)
    .map(([kind, list]) => `${list.length} ${kind}${list.length === 1 ? '' : 's'}`)
    .join(', ');
}
