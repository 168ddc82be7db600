import type { HostPort } from '../../src/engine/cluster/host-port.ts';
import type { ClusterObjects, Labels, PodObject, Resources, Taint } from '../../src/engine/cluster/objects.ts';
import { mayRunOn } from './labels.ts';
import { unreachableVolume } from './storage.ts';
import { repellingTaint } from './taints.ts';

/** Constraints between a pod and a node, independent of other pods. */
export function quarrelsWithNode(
  objects: ClusterObjects,
  pod: PodObject,
  labels: Labels,
  taints: readonly Taint[],
): string[] {
  const problems: string[] = [];
  const taint = repellingTaint(taints, pod.constraints.tolerations);
  if (taint !== undefined) problems.push(`does not tolerate ${taint.key}:${taint.effect}`);
  if (!mayRunOn(labels, pod.constraints)) problems.push('its node selector or required node affinity does not match');
  const volume = unreachableVolume(objects, pod, labels);
  if (volume !== undefined) problems.push(`volume ${volume} cannot be reached`);
  return problems;
}

/** Resources of which more is asked for than there is; only those that the newcomers ask for are their fault. */
export function shortages(asked: Resources, available: Resources, byNewcomers: Resources = asked): string[] {
  return Object.entries(asked)
    .filter(([name, amount]) => (byNewcomers[name] ?? 0) > 0 && amount > (available[name] ?? 0))
    .map(([name, amount]) => `${name}: ${amount} of ${available[name] ?? 0}`);
}

/** Ports that two of the lists both want. */
export function portClashes(lists: readonly (readonly HostPort[])[]): string[] {
  const clashes: string[] = [];
  lists.forEach((mine, i) => {
    for (const theirs of lists.slice(i + 1)) {
      for (const a of mine) for (const b of theirs) if (clash(a, b)) clashes.push(`host port ${a.port} twice`);
    }
  });
  return clashes;
}

function clash(a: HostPort, b: HostPort): boolean {
  const everywhere = (p: HostPort) => p.ip === '' || p.ip === '0.0.0.0' || p.ip === '::';
  return a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || everywhere(a) || everywhere(b));
}
