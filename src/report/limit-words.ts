import type { ClusterObjects, PodObject } from '../engine/cluster/objects.ts';
import { type CutBuffer, cutBuffers, MOST_VIRTUAL_PODS } from '../engine/cluster/virtual-pods.ts';
import { TOO_MANY_CONSTRAINTS } from '../engine/scheduling/constraint-limits.ts';
import { pendingPodsBeyondLimit } from '../engine/scheduling/pending-constraints.ts';

/** Objects of which simulations consider nothing, or a part only. */
export interface BeyondLimit {
  readonly kind: 'Pod' | 'CapacityBuffer';
  /** The same as long as it is about the same. */
  readonly topic: string;
  readonly objects: number;
  readonly text: string;
}

export function beyondLimits(objects: Omit<ClusterObjects, 'instanceTypes'>): readonly BeyondLimit[] {
  const pending = Map.groupBy(pendingPodsBeyondLimit(objects.pods), ({ namespace }) => namespace);
  const buffers = Map.groupBy(cutBuffers(objects), ({ buffer }) => buffer.namespace);
  return [...[...pending].map(pendingPods), ...[...buffers].map(ofBuffers)];
}

/** Pending pods of one namespace that no simulation places. */
function pendingPods([namespace, { length }]: readonly [string, readonly PodObject[]]): BeyondLimit {
  const [who, have] = length === 1 ? ['1 pending pod', 'has'] : [`${length} pending pods`, 'have'];
  return {
    kind: 'Pod',
    topic: `pending pods of ${namespace}`,
    objects: length,
    text: `namespace ${namespace}: ${who} ${have} no place in any plan: ${TOO_MANY_CONSTRAINTS}`,
  };
}

function ofBuffers([namespace, cut]: readonly [string, readonly CutBuffer[]]): BeyondLimit {
  const [{ buffer, wanted, kept }] = cut;
  const more = cut.length === 1 ? '' : ` (and less than asked for by ${cut.length - 1} more)`;
  return {
    kind: 'CapacityBuffer',
    topic: `buffers of ${namespace}`,
    objects: cut.length,
    text: `CapacityBuffer ${namespace}/${buffer.name} keeps room for ${kept} of ${wanted} pods${more}: the buffers of one namespace may keep room for ${MOST_VIRTUAL_PODS}`,
  };
}
