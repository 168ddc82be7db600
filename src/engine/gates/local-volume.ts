import { HOSTNAME } from '../cluster/well-known.ts';
import type { NodeRefusal } from '../refusal.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { labelsSatisfy } from '../scheduling/node-filter.ts';
import { INCOMPATIBLE } from '../selection/requirement-space.ts';
import type { Requirements } from '../selection/requirements.ts';

/**
 * A volume that only the pod's own node can mount pins the pod: after an eviction it would stay Pending. Local volumes
 * have such an affinity by hostname, some CSI drivers by their own label. Stock ignores the first kind, and so does
 * compat.
 */
export function localVolumeRefusal(
  cluster: CompiledCluster,
  row: number,
  pod: number,
  name: string,
): NodeRefusal | undefined {
  for (const { claim, volume, places } of cluster.volumesOfPod.get(pod)?.bound ?? []) {
    if (places.length > 0 && !places.some((place) => isMetElsewhere(cluster, row, place)))
      return { code: 'local-volume', pod: name, claim, volume: volume.name };
  }
  return undefined;
}

function isMetElsewhere({ rows, templates, space }: CompiledCluster, row: number, place: Requirements): boolean {
  const host = place.get(HOSTNAME);
  // Hostnames are unique. Most pinned volumes name their node this way, which avoids checking the other nodes.
  if (host?.complement === false && host.values.size === 1 && host.values.has(rows[row].hostname)) return false;
  const id = space.intern(place);
  if (templates.some(({ opening }) => space.narrow(opening, id) !== INCOMPATIBLE)) return true;
  return rows.some(({ selectable }, other) => other !== row && labelsSatisfy(selectable, place));
}
