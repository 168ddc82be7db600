import type { Owner, PodObject, WorkloadObject } from '../cluster/objects.ts';

/**
 * Names the workload of a pod: its controller, that one's controller, up to the top, so that a Deployment is the same
 * workload across its ReplicaSets. A pod without a controller is its own workload.
 */
export function workloadNames(workloads: readonly WorkloadObject[]): (pod: PodObject) => string {
  const known = names.get(workloads) ?? namesAmong(workloads);
  names.set(workloads, known);
  return known;
}

/** Cached: one pass may create several commands. */
const names = new WeakMap<readonly WorkloadObject[], (pod: PodObject) => string>();

function namesAmong(workloads: readonly WorkloadObject[]): (pod: PodObject) => string {
  const byUid = new Map(workloads.map((w) => [w.uid, w]));
  const byController = new Map<string, string>();
  return ({ namespace, name, owners }) => {
    const controller = owners.find((o) => o.controller);
    if (controller === undefined) return `Pod ${namespace}/${name}`;
    if (controller.kind === 'Node') return `static Pod ${namespace}/${staticName(name, controller.name)}`;
    const key = `${namespace}/${controller.uid}/${controller.name}`;
    let found = byController.get(key);
    if (found === undefined) {
      const { kind, name: top } = topmost(controller, byUid);
      found = bounded(`${kind} ${namespace}/${top}`);
      byController.set(key, found);
    }
    return found;
  };
}

/** A kubelet appends its node's name to the names of its static pods: those of one manifest are one workload. */
function staticName(pod: string, node: string): string {
  return pod.endsWith(`-${node}`) ? pod.slice(0, -node.length - 1) : pod;
}

/** Longer than any name that Kubernetes itself creates. */
const LONGEST_NAME = 400;

/** Owner references may contain anything, even a kind of a megabyte; names are written to commands and messages. */
function bounded(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}… (${name.length} characters)`;
}

function topmost(controller: Owner, byUid: ReadonlyMap<string, WorkloadObject>): Owner {
  const seen = new Set<string>();
  let top = controller;
  // Circular owners must not cause an endless loop.
  for (let above: Owner | undefined = controller; above !== undefined && !seen.has(above.uid); ) {
    seen.add(above.uid);
    top = above;
    above = byUid.get(above.uid)?.owners.find((o) => o.controller);
  }
  return top;
}
