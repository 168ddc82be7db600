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
  return ({ namespace, name, owners }) => {
    const [kind, top] = controllerOf(owners, byUid) ?? ['Pod', name];
    return `${kind} ${namespace}/${top}`;
  };
}

function controllerOf(
  owners: readonly Owner[],
  byUid: ReadonlyMap<string, WorkloadObject>,
): readonly [kind: string, name: string] | undefined {
  const seen = new Set<string>();
  let above = owners.find((o) => o.controller);
  let found: readonly [string, string] | undefined;
  // Owners that go round in a circle would be nonsense, and must not hang us.
  while (above !== undefined && !seen.has(above.uid)) {
    seen.add(above.uid);
    found = [above.kind, above.name];
    above = byUid.get(above.uid)?.owners.find((o) => o.controller);
  }
  return found;
}
