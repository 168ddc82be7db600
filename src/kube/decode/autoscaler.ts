import type { AutoscalerObject } from '../../engine/cluster/scaling-objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { integer, requiredText } from './field-value.ts';
import { FIRST, nameOf, namespaceOf, objectShape } from './metadata.ts';

const TARGET_KIND = FIRST;
const TARGET_NAME = FIRST + 1;
const MIN = FIRST + 2;
const MAX = FIRST + 3;

export const AUTOSCALER = objectShape({
  top: {
    spec: fields({
      scaleTargetRef: fields({ kind: shared(TARGET_KIND), name: shared(TARGET_NAME) }),
      minReplicas: shared(MIN),
      maxReplicas: shared(MAX),
    }),
  },
});

export function decodeAutoscaler(row: Row): AutoscalerObject {
  const minReplicas = integer(row[MIN], 'spec.minReplicas') ?? 1;
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    targetKind: requiredText(row[TARGET_KIND], 'spec.scaleTargetRef.kind'),
    targetName: requiredText(row[TARGET_NAME], 'spec.scaleTargetRef.name'),
    minReplicas,
    maxReplicas: integer(row[MAX], 'spec.maxReplicas') ?? minReplicas,
  };
}
