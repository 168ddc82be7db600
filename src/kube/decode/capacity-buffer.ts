import type { CapacityBufferObject } from '../../engine/cluster/capacity-buffer-object.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { conditionStatus, timelessConditionRows } from './condition.ts';
import { count, isAbsent, object, requiredText, text } from './field-value.ts';
import { FIRST, nameOf, namespaceOf, objectShape, uidOf } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';

const TEMPLATE_REF = FIRST;
const SCALABLE_REF = FIRST + 1;
const REPLICAS = FIRST + 2;
const PERCENTAGE = FIRST + 3;
const LIMITS = FIRST + 4;
const CONDITIONS = FIRST + 5;

export const CAPACITY_BUFFER = objectShape({
  top: {
    spec: fields({
      podTemplateRef: shared(TEMPLATE_REF),
      scalableRef: shared(SCALABLE_REF),
      replicas: shared(REPLICAS),
      percentage: shared(PERCENTAGE),
      limits: shared(LIMITS),
    }),
    status: fields({ conditions: timelessConditionRows(CONDITIONS) }),
  },
});

export function decodeCapacityBuffer(row: Row): CapacityBufferObject {
  const template = object(row[TEMPLATE_REF], 'spec.podTemplateRef');
  const scalable = object(row[SCALABLE_REF], 'spec.scalableRef');
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
    replicas: count(row[REPLICAS], 'spec.replicas'),
    percentage: count(row[PERCENTAGE], 'spec.percentage'),
    limits: isAbsent(row[LIMITS]) ? undefined : resourceAmounts(row[LIMITS], 'spec.limits'),
    ready: conditionStatus(row[CONDITIONS], 'ReadyForProvisioning') === 'True',
  };
}
