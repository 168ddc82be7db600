import type { ServiceObject } from '../../engine/cluster/objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { isAbsent, labels } from './field-value.ts';
import { FIRST, nameOf, namespaceOf, objectShape } from './metadata.ts';

const SELECTOR = FIRST;

export const SERVICE = objectShape({ top: { spec: fields({ selector: shared(SELECTOR) }) } });

export function decodeService(row: Row): ServiceObject {
  return {
    namespace: namespaceOf(row),
    name: nameOf(row),
    ...(isAbsent(row[SELECTOR]) ? {} : { selector: labels(row[SELECTOR], 'spec.selector') }),
  };
}
