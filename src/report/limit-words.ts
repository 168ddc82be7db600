import type { ClusterObjects } from '../engine/cluster/objects.ts';
import { type CutBuffer, cutBuffers, MOST_VIRTUAL_PODS } from '../engine/cluster/virtual-pods.ts';
import { MOST_PENDING_TERMS, podsNotAdmitted } from '../engine/scheduling/pending-terms.ts';

/** Objects of which simulations consider nothing, or a part only. */
export interface BeyondLimit {
  readonly kind: 'Pod' | 'CapacityBuffer';
  /** The same as long as it is about the same. */
  readonly topic: string;
  readonly objects: number;
  readonly text: string;
}

export function beyondLimits(objects: Omit<ClusterObjects, 'instanceTypes'>): readonly BeyondLimit[] {
  return [...[...podsNotAdmitted(objects.pods)].map(pendingPods), ...cutBuffers(objects).map(cutBuffer)];
}

/** Pending pods of one namespace that no simulation places. */
function pendingPods([namespace, pods]: readonly [string, number]): BeyondLimit {
  const [who, have] = pods === 1 ? ['1 pending pod', 'has'] : [`${pods} pending pods`, 'have'];
  return {
    kind: 'Pod',
    topic: `pending pods of ${namespace}`,
    objects: pods,
    text: `namespace ${namespace}: ${who} ${have} no place in any plan: pending pods of one namespace may have ${MOST_PENDING_TERMS} different affinity, anti-affinity and spread terms`,
  };
}

function cutBuffer({ buffer: { namespace, name }, wanted, kept }: CutBuffer): BeyondLimit {
  const buffer = `CapacityBuffer ${namespace}/${name}`;
  return {
    kind: 'CapacityBuffer',
    topic: buffer,
    objects: 1,
    text: `${buffer} keeps room for ${kept} of ${wanted} pods: the buffers of one namespace may keep room for ${MOST_VIRTUAL_PODS}`,
  };
}
