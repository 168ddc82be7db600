import type { PodDisruptionBudgetObject } from '../../engine/cluster/objects.ts';
import { FieldProblem } from '../field-problem.ts';
import { fields, type Row, whole } from '../read/json-shape.ts';
import { isAbsent, nonNegative, object, text } from './field-value.ts';
import { nameOf, namespaceOf, objectShape, uidOf } from './metadata.ts';
import { decodeLabelSelector } from './selector.ts';

export const POD_DISRUPTION_BUDGET = objectShape({
  top: { spec: whole(), status: fields({ disruptionsAllowed: whole() }) },
});

export function decodePodDisruptionBudget(row: Row): PodDisruptionBudgetObject {
  const spec = object(row.spec, 'spec') ?? {};
  const maxUnavailable = numberOrPercent(spec.maxUnavailable, 'spec.maxUnavailable');
  const minAvailable = numberOrPercent(spec.minAvailable, 'spec.minAvailable');
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    uid: uidOf(row),
    selector: decodeLabelSelector(spec.selector, 'spec.selector'),
    disruptionsAllowed: nonNegative(row.disruptionsAllowed, 'status.disruptionsAllowed') ?? 0,
    // Karpenter compares IntOrString values: the number 0 blocks, the string "0" does not.
    fullyBlocking: maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%',
    evictsUnhealthy: text(spec.unhealthyPodEvictionPolicy, 'spec.unhealthyPodEvictionPolicy') === 'AlwaysAllow',
  };
}

function numberOrPercent(value: unknown, path: string): string | number | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value === 'string' || Number.isSafeInteger(value)) return value as string | number;
  throw new FieldProblem(path, value, 'a whole number or a percentage such as "50%"');
}
