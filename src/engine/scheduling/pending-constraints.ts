import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { PodObject } from '../cluster/objects.ts';
import { isProvisionable } from '../cluster/pods.ts';
import { type MostPairs, podsBeyondLimit } from './constraint-limits.ts';

/** Less than for running pods: every simulation places every pending pod. */
const MOST_PAIRS: MostPairs = { ofNamespace: 50_000, perPodOfCluster: 20 };

/** A pass, its log and its metrics ask about the same list. */
const known = new WeakMap<readonly PodObject[], ReadonlySet<PodObject>>();

/** Pending pods that no simulation places: their constraints could make every simulation arbitrarily slow. */
export function pendingPodsBeyondLimit(pods: readonly PodObject[]): ReadonlySet<PodObject> {
  return getOrInsert(known, pods, () =>
    podsBeyondLimit(pods, (pod) => pod.nodeName === '' && isProvisionable(pod), MOST_PAIRS),
  );
}
