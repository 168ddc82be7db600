import type { CapacityBufferObject } from '../../engine/cluster/capacity-buffer-object.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { conditionStatus, TIMELESS_CONDITIONS } from './condition.ts';
import { isAbsent, nonNegative, object, requiredText, text } from './field-value.ts';
import { nameOf, namespaceOf, objectShape, uidOf } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';

export const CAPACITY_BUFFER = objectShape({
  top: {
    spec: fields({
      podTemplateRef: shared(),
      scalableRef: shared(),
      replicas: shared(),
      percentage: shared(),
      limits: shared(),
    }),
    status: fields({ conditions: TIMELESS_CONDITIONS }),
  },
});

export function decodeCapacityBuffer(row: Row): CapacityBufferObject {
  const template = object(row.podTemplateRef, 'spec.podTemplateRef');
  const scalable = object(row.scalableRef, 'spec.scalableRef');
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    uid: uidOf(row),
    podTemplate: template && requiredText(template.name, 'spec.podTemplateRef.name'),
    scalable: scalable && {
      group: text(scalable.apiGroup, 'spec.scalableRef.apiGroup'),
      kind: requiredText(scalable.kind, 'spec.scalableRef.kind'),
      name: requiredText(scalable.name, 'spec.scalableRef.name'),
    },
    replicas: nonNegative(row.replicas, 'spec.replicas'),
    percentage: nonNegative(row.percentage, 'spec.percentage'),
    limits: isAbsent(row.limits) ? undefined : resourceAmounts(row.limits, 'spec.limits'),
    ready: conditionStatus(row.conditions, 'ReadyForProvisioning') === 'True',
  };
}
