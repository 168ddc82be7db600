import type { NodeClassObject } from '../../catalog/cluster-location.ts';
import { fields, type Row, whole } from '../read/json-shape.ts';
import { objects, optionalText, text } from './field-value.ts';
import { nameOf, objectShape } from './metadata.ts';

/** EC2NodeClass, and NodeClass of EKS Auto Mode, list their zones in the status. */
export const NODE_CLASS = objectShape({ top: { status: fields({ subnets: whole() }) } });

export function decodeNodeClass(row: Row): NodeClassObject {
  const subnets = objects(row.subnets, 'status.subnets', (subnet, path) => ({
    name: text(subnet.zone, `${path}.zone`),
    id: optionalText(subnet.zoneID, `${path}.zoneID`),
  }));
  return {
    group: text(row.apiVersion, 'apiVersion').split('/')[0],
    kind: text(row.kind, 'kind'),
    name: nameOf(row),
    zones: subnets.filter(({ name }) => name !== ''),
  };
}
