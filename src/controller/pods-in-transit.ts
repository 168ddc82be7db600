import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type { ClusterObjects, PodObject } from '../engine/cluster/objects.ts';
import { isActive } from '../engine/cluster/pods.ts';
import type { Command } from './command.ts';
import { replacementNumber } from './placement-hints.ts';

/** Nodes and NodeClaims that pods of these commands are planned to go to, by UID of the pod. */
export function plannedDestinations(commands: readonly Command[]): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const { placements = {}, replacements } of commands) {
    for (const [pod, place] of Object.entries(placements)) {
      const number = replacementNumber(place);
      const destination = number === undefined ? place : replacements[number - 1]?.nodeClaim;
      if (destination !== undefined) out.set(pod, destination);
    }
  }
  return out;
}

/**
 * A pod that a drain of ours has evicted counts as running until kube-scheduler has bound its successor or called it
 * unschedulable: until then, the capacity that the successor needs looks free.
 */
export function withEvicted(objects: ClusterObjects, commands: readonly Command[]): ClusterObjects {
  const draining = commands.filter(({ phase }) => phase === 'draining');
  if (draining.length === 0) return objects;
  const evicted = new Set(draining.flatMap(({ placements = {} }) => Object.keys(placements)));
  const going = objects.pods.filter((pod) => pod.terminating && evicted.has(pod.uid));
  if (going.length === 0) return objects;
  const awaited = withoutSuccessor(going, objects.pods, Math.min(...draining.map(sinceMs)));
  return { ...objects, pods: objects.pods.map((pod) => (awaited.has(pod) ? asRunning(pod) : pod)) };
}

/** The API server keeps whole seconds. */
function sinceMs({ drainingMs = Infinity }: Command): number {
  return Math.floor(drainingMs / 1000) * 1000;
}

function withoutSuccessor(going: readonly PodObject[], pods: readonly PodObject[], fromMs: number): Set<PodObject> {
  const successors = new Map<string | undefined, number>();
  const countOf = (pod: PodObject) => successors.get(controllerOf(pod)) ?? 0;
  for (const pod of pods) {
    const isPlaced = pod.nodeName !== '' || pod.unschedulable;
    if (pod.createdMs >= fromMs && isPlaced && isActive(pod)) successors.set(controllerOf(pod), countOf(pod) + 1);
  }
  const out = new Set<PodObject>();
  for (const pod of going) {
    const left = countOf(pod);
    if (left > 0) successors.set(controllerOf(pod), left - 1);
    else if (controllerOf(pod) !== undefined) out.add(pod);
  }
  return out;
}

function controllerOf({ owners }: PodObject): string | undefined {
  return owners.find((o) => o.controller)?.uid;
}

/** The same object each time, so that compiled results are found again. */
function asRunning(pod: PodObject): PodObject {
  return getOrInsert(running, pod, () => ({ ...pod, terminating: false }));
}

const running = new WeakMap<PodObject, PodObject>();
