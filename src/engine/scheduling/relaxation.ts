import type { PodConstraints, Toleration, Weighted } from '../cluster/objects.ts';
import { hasToleration, TOLERATE_PREFERENCES } from '../selection/taints.ts';

/**
 * The constraints of a pod, relaxed step by step when it finds no place: preferences are requirements at first, and one
 * is dropped per step. A step applies only after the one before failed on existing nodes, on claims and on a new claim.
 */
export function relaxationSteps(constraints: PodConstraints, toleratePreferences: boolean): PodConstraints[] {
  const steps = [constraints];
  for (let next = relax(constraints, toleratePreferences); next !== undefined; next = relax(next, toleratePreferences))
    steps.push(next);
  return steps;
}

function relax(c: PodConstraints, toleratePreferences: boolean): PodConstraints | undefined {
  // Terms of required node affinity are alternatives, tried in order; the last one stays.
  if (c.requiredNodeTerms !== undefined && c.requiredNodeTerms.length > 1)
    return { ...c, requiredNodeTerms: c.requiredNodeTerms.slice(1) };
  if (c.preferredAffinity.length > 0) return { ...c, preferredAffinity: heaviestFirst(c.preferredAffinity).slice(1) };
  if (c.preferredAntiAffinity.length > 0)
    return { ...c, preferredAntiAffinity: heaviestFirst(c.preferredAntiAffinity).slice(1) };
  if (c.preferredNodeTerms.length > 0)
    return { ...c, preferredNodeTerms: heaviestFirst(c.preferredNodeTerms).slice(1) };
  const soft = c.topologySpread.findIndex((s) => s.whenUnsatisfiable === 'ScheduleAnyway');
  if (soft >= 0) return { ...c, topologySpread: withLastInSlot(c.topologySpread, soft) };
  if (toleratePreferences && !hasToleration(c.tolerations, TOLERATE_PREFERENCES)) {
    return { ...c, tolerations: [...c.tolerations, TOLERATE_PREFERENCES] as readonly Toleration[] };
  }
  return undefined;
}

export function heaviestFirst<T>(terms: readonly Weighted<T>[]): readonly Weighted<T>[] {
  return [...terms].sort((a, b) => b.weight - a.weight);
}

/** Karpenter fills the gap with the last constraint, which changes what is dropped next. */
function withLastInSlot<T>(list: readonly T[], slot: number): readonly T[] {
  const rest = list.slice(0, -1);
  if (slot < rest.length) rest[slot] = list[list.length - 1];
  return rest;
}
