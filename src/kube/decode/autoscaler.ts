import type { AutoscalerObject } from '../../engine/cluster/scaling-objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { integer, requiredText } from './field-value.ts';
import { nameOf, namespaceOf, objectShape } from './metadata.ts';

export const AUTOSCALER = objectShape({
  top: {
    spec: fields({
      scaleTargetRef: fields({ kind: shared('targetKind'), name: shared('targetName') }),
      minReplicas: shared(),
      maxReplicas: shared(),
    }),
  },
});

export function decodeAutoscaler(row: Row): AutoscalerObject {
  const minReplicas = integer(row.minReplicas, 'spec.minReplicas') ?? 1;
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    targetKind: requiredText(row.targetKind, 'spec.scaleTargetRef.kind'),
    targetName: requiredText(row.targetName, 'spec.scaleTargetRef.name'),
    minReplicas,
    maxReplicas: integer(row.maxReplicas, 'spec.maxReplicas') ?? minReplicas,
  };
}
