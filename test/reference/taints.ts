import type { Taint, Toleration } from '../../src/engine/cluster/objects.ts';

/** The first taint that keeps a pod with these tolerations off a node. PreferNoSchedule keeps no pod off. */
export function repellingTaint(taints: readonly Taint[], tolerations: readonly Toleration[]): Taint | undefined {
  return taints.find((taint) => taint.effect !== 'PreferNoSchedule' && !isTolerated(taint, tolerations));
}

export function isTolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((t) => {
    const sameEffect = t.effect === '' || t.effect === taint.effect;
    const sameKey = t.key === '' ? t.operator === 'Exists' : t.key === taint.key;
    if (!sameEffect || !sameKey) return false;
    if (t.operator === 'Exists') return true;
    if (t.operator === 'Gt') return Number(taint.value) > Number(t.value);
    if (t.operator === 'Lt') return Number(taint.value) < Number(t.value);
    return t.value === taint.value;
  });
}
