import type { Taint, Toleration } from '../cluster/objects.ts';

/** Taints that a node loses while it starts; ignored on managed nodes that are not initialized. */
const EPHEMERAL: readonly (readonly [key: string, effect: string])[] = [
  ['node.kubernetes.io/not-ready', 'NoSchedule'],
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoSchedule'],
  ['node.cloudprovider.kubernetes.io/uninitialized', 'NoSchedule'],
  ['karpenter.sh/unregistered', 'NoExecute'],
];
const EPHEMERAL_PREFIX = 'readiness.k8s.io/';

export function isEphemeral(taint: Taint): boolean {
  return (
    taint.key.startsWith(EPHEMERAL_PREFIX) ||
    EPHEMERAL.some(([key, effect]) => taint.key === key && taint.effect === effect)
  );
}

/** Same key and effect; the value does not matter. */
export function sameTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** Every effect blocks, PreferNoSchedule too, until it is tolerated. */
export function toleratesAll(taints: readonly Taint[], tolerations: readonly Toleration[]): boolean {
  for (const taint of taints) if (!toleratesOne(taint, tolerations)) return false;
  return true;
}

function toleratesOne(taint: Taint, tolerations: readonly Toleration[]): boolean {
  for (const t of tolerations) if (tolerates(t, taint)) return true;
  return false;
}

export function tolerates(t: Toleration, taint: Taint): boolean {
  if (t.effect !== '' && t.effect !== taint.effect) return false;
  if (t.key !== '' && t.key !== taint.key) return false;
  switch (t.operator) {
    case '':
    case 'Equal':
      return t.value === taint.value;
    case 'Exists':
      return true;
    case 'Lt':
    case 'Gt': {
      const mine = decimal(t.value);
      const its = decimal(taint.value);
      if (mine === undefined || its === undefined) return false;
      return t.operator === 'Lt' ? its < mine : its > mine;
    }
  }
}

/** Kubernetes compares only canonical decimal integers: no sign but minus, no leading zeros. */
function decimal(text: string): bigint | undefined {
  return /^(0|-?[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined;
}

export const TOLERATE_PREFERENCES: Toleration = { key: '', operator: 'Exists', value: '', effect: 'PreferNoSchedule' };

/** The pod already has exactly this toleration (ignoring tolerationSeconds and an omitted "Equal"). */
export function hasToleration(list: readonly Toleration[], wanted: Toleration): boolean {
  return list.some(
    (t) =>
      t.key === wanted.key && t.effect === wanted.effect && t.operator === wanted.operator && t.value === wanted.value,
  );
}
