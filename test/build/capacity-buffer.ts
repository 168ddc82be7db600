import type { CapacityBufferObject } from '../../src/engine/cluster/capacity-buffer-object.ts';
import type { PodTemplateObject, Resources } from '../../src/engine/cluster/objects.ts';
import { pod } from './pod.ts';

interface BufferSketch extends Partial<CapacityBufferObject> {
  readonly cpu?: number;
}

/** A buffer of pods of 1 cpu, and the PodTemplate that it refers to. */
export function capacityBuffer({ cpu = 1000, ...sketch }: BufferSketch = {}): {
  capacityBuffers: CapacityBufferObject[];
  podTemplates: PodTemplateObject[];
} {
  const { constraints, requests } = pod('of-the-template', { cpu });
  return {
    capacityBuffers: [
      {
        namespace: 'default',
        name: 'spare',
        uid: 'spare',
        podTemplate: 'headroom',
        replicas: 1,
        ready: true,
        ...sketch,
      },
    ],
    podTemplates: [
      { namespace: 'default', name: 'headroom', labels: {}, requests: requests satisfies Resources, constraints },
    ],
  };
}
