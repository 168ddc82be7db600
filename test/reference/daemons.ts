import type {
  ClusterObjects,
  Labels,
  PodConstraints,
  PodObject,
  Resources,
  Taint,
} from '../../src/engine/cluster/objects.ts';
import { mayRunOn } from './labels.ts';
import { repellingTaint } from './taints.ts';

export interface Daemon {
  readonly requests: Resources;
  readonly constraints: PodConstraints;
}

/** DaemonSets that put a pod on a node with these labels and taints; the newest pod tells what the pod asks for. */
export function daemonsFor(objects: ClusterObjects, labels: Labels, taints: readonly Taint[]): Daemon[] {
  return objects.daemonSets
    .map((set): Daemon => {
      const own = objects.pods.filter((p) => p.namespace === set.namespace && p.owners.some((o) => o.uid === set.uid));
      const newest = own.reduce<PodObject | undefined>(
        (best, p) => (best === undefined || p.createdMs > best.createdMs ? p : best),
        undefined,
      );
      return { requests: newest?.requests ?? set.requests, constraints: set.constraints };
    })
    .filter(({ constraints: c }) => mayRunOn(labels, c) && repellingTaint(taints, c.tolerations) === undefined);
}

/** Summed requests, a pod slot each included. */
export function total(list: readonly { readonly requests: Resources }[]): Record<string, number> {
  const sum: Record<string, number> = { pods: list.length };
  for (const { requests } of list)
    for (const [name, amount] of Object.entries(requests)) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
}
