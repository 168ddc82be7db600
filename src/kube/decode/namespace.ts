import type { NamespaceObject } from '../../engine/cluster/objects.ts';
import type { Row } from '../read/json-shape.ts';
import { labels } from './field-value.ts';
import { nameOf, objectShape } from './metadata.ts';

export const NAMESPACE_SHAPE = objectShape({});

export function decodeNamespace(row: Row): NamespaceObject {
  return { name: nameOf(row), labels: labels(row.labels, 'metadata.labels') };
}
