import type { DaemonSetObject } from '../../engine/cluster/objects.ts';
import { fields, type Row } from '../read/json-shape.ts';
import { nameOf, namespaceOf, objectShape, uidOf } from './metadata.ts';
import { PodTemplateDecoder, TEMPLATE } from './pod-template.ts';

export const DAEMON_SET = objectShape({ top: { spec: fields({ template: TEMPLATE }) } });

export class DaemonSetDecoder {
  private readonly templates = new PodTemplateDecoder('spec.template', true);

  decode(row: Row): DaemonSetObject {
    return { namespace: namespaceOf(row), name: nameOf(row), uid: uidOf(row), ...this.templates.template(row) };
  }
}
