import type { Owner, PodObject, WorkloadObject } from '../cluster/objects.ts';

/**
 * Names the workload that a pod belongs to: what controls it, and what controls that, up to the top, so that
 * a Deployment is the same workload across its ReplicaSets. A pod that nobody controls is its own.
 */
export function workloadNames(workloads: readonly WorkloadObject[]): (pod: PodObject) => string {
  const known = names.get(workloads) ?? namesAmong(workloads);
  names.set(workloads, known);
  return known;
}

/** Several commands are made of one look at the cluster. */
const names = new WeakMap<readonly WorkloadObject[], (pod: PodObject) => string>();

function namesAmong(workloads: readonly WorkloadObject[]): (pod: PodObject) => string {
  const byUid = new Map(workloads.map((w) => [w.uid, w]));
  const byController = new Map<string, string>();
  return ({ namespace, name, owners }) => {
    const controller = owners.find((o) => o.controller);
    if (controller === undefined) return `Pod ${namespace}/${name}`;
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

/** No kind, namespace and name that Kubernetes itself creates are longer. */
const LONGEST_NAME = 400;

/** Owner references may name anything, a kind of a megabyte too; names are written into commands and messages. */
function bounded(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME)}… (${name.length} characters)`;
}

function topmost(controller: Owner, byUid: ReadonlyMap<string, WorkloadObject>): Owner {
  const seen = new Set<string>();
  let top = controller;
  // Owners that go round in a circle would be nonsense, and must not hang us.
  for (let above: Owner | undefined = controller; above !== undefined && !seen.has(above.uid); ) {
    seen.add(above.uid);
    top = above;
    above = byUid.get(above.uid)?.owners.find((o) => o.controller);
  }
  return top;
}
