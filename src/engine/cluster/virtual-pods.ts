import type { CapacityBufferObject } from './capacity-buffer-object.ts';
import type { ClusterObjects, PodObject, PodTemplate, Resources } from './objects.ts';

/** Lowest int32: below every real pod. */
const VIRTUAL_POD_PRIORITY = -2147483648;
/** Later than every real pod. */
const CREATED_MS = 2 ** 52;
/** Of all buffers of one namespace: far more than real ones hold, and few enough for every simulation to place them. */
export const MOST_VIRTUAL_PODS = 5_000;
/** Kinds of the apps group that a buffer may copy its pods from. */
const SCALABLE_KINDS = ['Deployment', 'StatefulSet', 'ReplicaSet'];

/**
 * Pods that represent the capacity of CapacityBuffers (upstream-1.15 §11). They exist in simulations only: unbound,
 * without phase and owner, after all real pods of their size.
 *
 * Karpenter creates them if its feature gate is on. If the gate is unknown, buffers that some autoscaler marked ready
 * count; without compat every buffer counts, because deleting its capacity is the worse mistake.
 */
export function virtualPods(objects: ClusterObjects, compat: boolean): readonly PodObject[] {
  // Karpenter makes all pods of a buffer before those of the next, and queues equal pods by the moment they were made.
  const pods: PodObject[] = [];
  for (const { buffer, template, kept } of heldRoom(objects, compat))
    for (const pod of podsOf(buffer, template, CREATED_MS + pods.length, kept)) pods.push(pod);
  return pods;
}

/** A CapacityBuffer that asks for more pods than the buffers of its namespace may hold room for. */
export interface CutBuffer {
  readonly buffer: CapacityBufferObject;
  readonly wanted: number;
  readonly kept: number;
}

export function cutBuffers(objects: Omit<ClusterObjects, 'instanceTypes'>): readonly CutBuffer[] {
  return [...heldRoom(objects, false)].filter(({ wanted, kept }) => kept < wanted);
}

/** Pods per buffer, within the limit of its namespace. */
function* heldRoom(
  objects: Omit<ClusterObjects, 'instanceTypes'>,
  compat: boolean,
): Generator<CutBuffer & { readonly template: PodTemplate }> {
  const { capacityBuffers, options } = objects;
  if (capacityBuffers.length === 0 || options.capacityBuffers === false) return;
  const counted = capacityBuffers.filter(({ ready }) => options.capacityBuffers === true || ready || !compat);
  const resolve = resolver(objects);
  const left = new Map<string, number>();
  for (const buffer of counted) {
    const resolved = resolve(buffer);
    if (resolved === undefined) continue;
    const { template, scale } = resolved;
    const most = left.get(buffer.namespace) ?? MOST_VIRTUAL_PODS;
    const wanted = replicasOf(buffer, template.requests, scale);
    const kept = Math.min(most, wanted);
    left.set(buffer.namespace, most - kept);
    yield { buffer, template, wanted, kept };
  }
}

/** Buffers that count but whose pods are unknown, because their PodTemplate or workload is. */
export function unresolvedBuffers(objects: Omit<ClusterObjects, 'instanceTypes'>): readonly CapacityBufferObject[] {
  if (objects.capacityBuffers.length === 0 || objects.options.capacityBuffers === false) return [];
  const resolve = resolver(objects);
  return objects.capacityBuffers.filter((buffer) => resolve(buffer) === undefined);
}

interface Resolved {
  readonly template: PodTemplate;
  /** Replicas of the buffer's workload; undefined for PodTemplates. */
  readonly scale: number | undefined;
}

function resolver({
  podTemplates,
  workloads,
}: Pick<ClusterObjects, 'podTemplates' | 'workloads'>): (buffer: CapacityBufferObject) => Resolved | undefined {
  const key = (namespace: string, kind: string, name: string) => `${namespace}/${kind}/${name}`;
  const known = new Map<string, Resolved>();
  for (const { namespace, name, kind, template, replicas } of workloads)
    if (template !== undefined) known.set(key(namespace, kind, name), { template, scale: replicas });
  for (const template of podTemplates)
    known.set(key(template.namespace, 'PodTemplate', template.name), { template, scale: undefined });
  return ({ namespace, podTemplate, scalable }) => {
    if (podTemplate !== undefined) return known.get(key(namespace, 'PodTemplate', podTemplate));
    if (scalable === undefined || !['', 'apps'].includes(scalable.group) || !SCALABLE_KINDS.includes(scalable.kind))
      return undefined;
    return known.get(key(namespace, scalable.kind, scalable.name));
  };
}

/** The last pods of each buffer: unchanged buffers keep their pod objects, which are not compiled again. */
const lastPods = new WeakMap<CapacityBufferObject, { template: PodTemplate; pods: readonly PodObject[] }>();

function podsOf(
  buffer: CapacityBufferObject,
  template: PodTemplate,
  createdMs: number,
  count: number,
): readonly PodObject[] {
  const last = lastPods.get(buffer);
  if (last?.template === template && last.pods.length === count && last.pods[0]?.createdMs === createdMs)
    return last.pods;
  const pods = Array.from({ length: count }, (_, i) => ({
    ...virtualPod(buffer, template, i + 1),
    createdMs: createdMs + i,
  }));
  lastPods.set(buffer, { template, pods });
  return pods;
}

function virtualPod(
  { namespace, name, uid }: CapacityBufferObject,
  template: PodTemplate,
  ordinal: number,
): Omit<PodObject, 'createdMs'> {
  return {
    namespace,
    name: `capacity-buffer-${name}-${ordinal}`,
    uid: `${uid}-${ordinal}`,
    terminating: false,
    labels: template.labels,
    owners: [],
    nodeName: '',
    nominatedNodeName: '',
    phase: '',
    unschedulable: true,
    ready: '',
    priority: VIRTUAL_POD_PRIORITY,
    requests: template.requests,
    constraints: template.constraints,
    volumeClaims: [],
    capacityBuffer: `${namespace}/${name}`,
  };
}

/** The larger of replicas and percentage, within the limits; with limits alone, as many as fit. */
function replicasOf(buffer: CapacityBufferObject, requests: Resources, scale: number | undefined): number {
  const wanted: number[] = [];
  if (buffer.replicas !== undefined) wanted.push(buffer.replicas);
  if (buffer.percentage !== undefined && scale !== undefined && scale > 0)
    wanted.push(Math.ceil((scale * buffer.percentage) / 100));
  const fitting = Object.entries(buffer.limits ?? {}).flatMap(([resource, limit]) => {
    const each = requests[resource] ?? 0;
    return each > 0 ? [Math.floor(limit / each)] : [];
  });
  const desired = Math.max(0, ...wanted);
  if (fitting.length === 0) return desired;
  return Math.min(...fitting, ...(wanted.length === 0 ? [] : [desired]));
}
