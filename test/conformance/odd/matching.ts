import type { Container, Labels, NodeTerm, PodSpec, Quantities, Requirement, Taint, Toleration } from './shapes.ts';

/**
 * Just enough of Kubernetes' matching to put pods where they could have been scheduled.
 * A mistake here makes a cluster odder, not wrong: running pods may break rules made later.
 */
export function meets(q: Requirement, labels: Labels): boolean {
  const value = labels[q.key];
  const values = q.values ?? [];
  switch (q.operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
    case 'Gte':
      return Number(value) >= Number(values[0]);
    case 'Lte':
      return Number(value) <= Number(values[0]);
    default:
      throw new Error(`operator ${q.operator}`);
  }
}

export function meetsTerm(term: NodeTerm, labels: Labels): boolean {
  return (term.matchExpressions ?? []).every((q) => meets(q, labels));
}

export function selects(spec: PodSpec, labels: Labels): boolean {
  if (!Object.entries(spec.nodeSelector ?? {}).every(([k, v]) => labels[k] === v)) return false;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms.some((t) => meetsTerm(t, labels));
}

export function tolerated(taint: Taint, tolerations: readonly Toleration[]): boolean {
  return tolerations.some((t) => {
    if (t.effect !== undefined && t.effect !== '' && t.effect !== taint.effect) return false;
    if (t.key === undefined || t.key === '') return t.operator === 'Exists';
    if (t.key !== taint.key) return false;
    switch (t.operator ?? 'Equal') {
      case 'Exists':
        return true;
      case 'Gt':
        return Number(taint.value) > Number(t.value);
      case 'Lt':
        return Number(taint.value) < Number(t.value);
      default:
        return (t.value ?? '') === (taint.value ?? '');
    }
  });
}

export function toleratesAll(spec: PodSpec, taints: readonly Taint[]): boolean {
  return taints.every((t) => t.effect === 'PreferNoSchedule' || tolerated(t, spec.tolerations ?? []));
}

/** Millicores and MiB that the pod takes on its node. */
export function requestOf(spec: PodSpec): { cpu: number; memoryMi: number } {
  const all = spec.containers.map(amount);
  let cpu = 0;
  let memoryMi = 0;
  for (const a of all) {
    cpu += a.cpu;
    memoryMi += a.memoryMi;
  }
  let sideCpu = 0;
  let sideMemory = 0;
  let peakCpu = 0;
  let peakMemory = 0;
  for (const c of spec.initContainers ?? []) {
    const a = amount(c);
    peakCpu = Math.max(peakCpu, sideCpu + a.cpu);
    peakMemory = Math.max(peakMemory, sideMemory + a.memoryMi);
    if (c.restartPolicy === 'Always') {
      sideCpu += a.cpu;
      sideMemory += a.memoryMi;
    }
  }
  cpu = Math.max(cpu + sideCpu, peakCpu);
  memoryMi = Math.max(memoryMi + sideMemory, peakMemory);
  const level = spec.resources?.requests;
  if (level?.cpu !== undefined) cpu = milli(level.cpu);
  if (level?.memory !== undefined) memoryMi = mebi(level.memory);
  return { cpu: cpu + milli(spec.overhead?.cpu), memoryMi: memoryMi + mebi(spec.overhead?.memory) };
}

function amount(c: Container): { cpu: number; memoryMi: number } {
  const q: Quantities = { ...c.resources.limits, ...c.resources.requests };
  return { cpu: milli(q.cpu), memoryMi: mebi(q.memory) };
}

export function milli(q: string | undefined): number {
  if (q === undefined) return 0;
  return q.endsWith('m') ? Number(q.slice(0, -1)) : Number(q) * 1000;
}

export function mebi(q: string | undefined): number {
  if (q === undefined) return 0;
  if (q.endsWith('Mi')) return Number(q.slice(0, -2));
  if (q.endsWith('Gi')) return Number(q.slice(0, -2)) * 1024;
  if (q.endsWith('M')) return Math.ceil(Number(q.slice(0, -1)) / 1.048576);
  return Math.ceil(Number(q) / 1048576);
}
