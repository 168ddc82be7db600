import type { ServiceObject } from '../../engine/cluster/objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { isAbsent, labels } from './field-value.ts';
import { nameOf, namespaceOf, objectShape } from './metadata.ts';

export const SERVICE = objectShape({ top: { spec: fields({ selector: shared() }) } });

export function decodeService(row: Row): ServiceObject {
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    ...(isAbsent(row.selector) ? {} : { selector: labels(row.selector, 'spec.selector') }),
  };
}
