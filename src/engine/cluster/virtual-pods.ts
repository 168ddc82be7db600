import type { CapacityBufferObject } from './capacity-buffer-object.ts';
import type { ClusterObjects, PodObject, PodTemplate, Resources } from './objects.ts';

/** Lowest int32: below every real pod. */
const VIRTUAL_POD_PRIORITY = -2147483648;
/** Later than every real pod. */
const CREATED_MS = 2 ** 52;
/** Of all buffers of one namespace: far more than real ones hold, and few enough for every simulation to place them. */
const MOST_VIRTUAL_PODS = 5_000;
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
  const { capacityBuffers, options } = objects;
  if (capacityBuffers.length === 0 || options.capacityBuffers === false) return [];
  const counted = capacityBuffers.filter(({ ready }) => options.capacityBuffers === true || ready || !compat);
  // Karpenter makes all pods of a buffer before those of the next, and queues equal pods by the moment they were made.
  const pods: PodObject[] = [];
  const left = new Map<string, number>();
  for (const buffer of counted) {
    const resolved = resolve(buffer, objects);
    if (resolved === undefined) continue;
    const { namespace } = buffer;
    const own = podsOf(buffer, resolved, CREATED_MS + pods.length, left.get(namespace) ?? MOST_VIRTUAL_PODS);
    left.set(namespace, (left.get(namespace) ?? MOST_VIRTUAL_PODS) - own.length);
    pods.push(...own);
  }
  return pods;
}

/** Buffers that count but whose pods are unknown, because their PodTemplate or workload is. */
export function unresolvedBuffers(objects: Omit<ClusterObjects, 'instanceTypes'>): readonly CapacityBufferObject[] {
  if (objects.options.capacityBuffers === false) return [];
  return objects.capacityBuffers.filter((buffer) => resolve(buffer, objects) === undefined);
}

interface Resolved {
  readonly template: PodTemplate;
  /** Replicas of the buffer's workload; undefined for PodTemplates. */
  readonly scale: number | undefined;
}

function resolve(
  buffer: CapacityBufferObject,
  { podTemplates, workloads }: Pick<ClusterObjects, 'podTemplates' | 'workloads'>,
): Resolved | undefined {
  const { namespace, podTemplate, scalable } = buffer;
  if (podTemplate !== undefined) {
    const template = podTemplates.find((t) => t.name === podTemplate && t.namespace === namespace);
    return template && { template, scale: undefined };
  }
  if (scalable === undefined || !['', 'apps'].includes(scalable.group) || !SCALABLE_KINDS.includes(scalable.kind))
    return undefined;
  const workload = workloads.find(
    (w) => w.name === scalable.name && w.namespace === namespace && w.kind === scalable.kind,
  );
  return workload?.template && { template: workload.template, scale: workload.replicas };
}

/** The last pods of each buffer: unchanged buffers keep their pod objects, which are not compiled again. */
const lastPods = new WeakMap<CapacityBufferObject, { template: PodTemplate; pods: readonly PodObject[] }>();

function podsOf(
  buffer: CapacityBufferObject,
  { template, scale }: Resolved,
  createdMs: number,
  most: number,
): readonly PodObject[] {
  const count = Math.min(most, replicasOf(buffer, template.requests, scale));
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
