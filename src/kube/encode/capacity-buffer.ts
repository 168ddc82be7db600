import type { CapacityBufferObject } from '../../engine/cluster/capacity-buffer-object.ts';
import { nothingLeft, type Written, writeAmounts, writeObject } from './metadata.ts';

export function writeCapacityBuffer(buffer: CapacityBufferObject): Written {
  const { namespace, name, uid, podTemplate, scalable, replicas, percentage, limits, ready, ...rest } = buffer;
  nothingLeft(rest);
  return writeObject(
    'autoscaling.x-k8s.io/v1beta1',
    'CapacityBuffer',
    { namespace, name, uid },
    {
      spec: {
        podTemplateRef: podTemplate === undefined ? undefined : { name: podTemplate },
        scalableRef: scalable && { apiGroup: scalable.group || undefined, kind: scalable.kind, name: scalable.name },
        replicas,
        percentage,
        limits: limits && (writeAmounts(limits) ?? {}),
      },
      status: ready ? { conditions: [{ type: 'ReadyForProvisioning', status: 'True' }] } : undefined,
    },
  );
}
