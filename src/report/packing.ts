import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type { ClusterObjects, PodObject, Resources } from '../engine/cluster/objects.ts';
import { namespacedName } from '../engine/cluster/pods.ts';
import type { Plan } from '../engine/plan-document.ts';

type Arrivals = ReadonlyMap<string, readonly PodObject[]>;

/** Pods by the node that the plan moves them to in the end: a later stage may move them again. */
export function arrivals(plan: Pick<Plan, 'moves'>, pods: readonly PodObject[]): Arrivals {
  const byKey = new Map(pods.map((pod) => [namespacedName(pod), pod]));
  const places = new Map<PodObject, string>();
  for (const [index, { nodes, placements, replacements }] of plan.moves.entries()) {
    const isNew = (to: string) => /^new-\d+$/.test(to) && Number(to.slice(4)) <= replacements.length;
    for (const { pod: key, to } of placements) {
      const pod = byKey.get(key);
      if (pod !== undefined && !nodes.includes(to)) places.set(pod, isNew(to) ? newNodeName(index, to) : to);
    }
  }
  return collect([...places].map(([pod, to]) => [to, pod]));
}

/**
 * Unique name of a new node, as pods of later moves refer to it: each move counts from 1, and no real name has a space.
 */
export function newNodeName(move: number, to: string): string {
  return `${to} of move ${move + 1}`;
}

export function podsByNode(pods: readonly PodObject[]): Arrivals {
  const running = pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
  return collect(running.map((pod) => [pod.nodeName, pod]));
}

function collect(entries: readonly (readonly [string, PodObject])[]): Arrivals {
  const byName = new Map<string, PodObject[]>();
  for (const [name, pod] of entries) {
    getOrInsert(byName, name, () => []).push(pod);
  }
  return byName;
}

/** A claim without a node yet is listed by its own name. */
export function allocatableByNode({ nodes, nodeClaims }: ClusterObjects): ReadonlyMap<string, Resources> {
  const claims = nodeClaims.map(({ name, nodeName, allocatable }) => [nodeName || name, allocatable] as const);
  return new Map([...claims, ...nodes.map(({ name, allocatable }) => [name, allocatable] as const)]);
}
