import type { PodTemplate, PodTemplateObject } from '../../engine/cluster/objects.ts';
import { type Fields, fields, type Leaf, type Row, shared } from '../read/json-shape.ts';
import { labels } from './field-value.ts';
import { nameOf, namespaceOf, objectShape } from './metadata.ts';
import { PodConstraintSets } from './pod-constraints.ts';
import { PodRequests } from './pod-requests.ts';
import { POD_SPEC, PROCESS_SPEC } from './pod-spec.ts';

/** A PodTemplateSpec; uses the column FIRST and those of a pod's spec. */
export const TEMPLATE: Fields = fields({ metadata: fields({ labels: shared('templateLabels') }), spec: POD_SPEC });
export function processTemplate(annotations: Readonly<Record<string, Leaf>>): Fields {
  return fields({
    metadata: fields({ labels: shared('templateLabels'), annotations: fields(annotations) }),
    spec: PROCESS_SPEC,
  });
}

export const POD_TEMPLATE = objectShape({ top: { template: TEMPLATE } });

/** `limitsAreRequests`: see PodRequests. */
export class PodTemplateDecoder {
  private readonly path: string;
  private readonly requests: PodRequests;
  private readonly constraints: PodConstraintSets;

  constructor(path: string, limitsAreRequests: boolean) {
    this.path = path;
    this.requests = new PodRequests(`${path}.spec`, limitsAreRequests);
    this.constraints = new PodConstraintSets(`${path}.spec`);
  }

  template(row: Row): PodTemplate {
    return {
      labels: labels(row.templateLabels, `${this.path}.metadata.labels`),
      requests: this.requests.of(row),
      constraints: this.constraints.of(row),
    };
  }

  decode(row: Row): PodTemplateObject {
    return { namespace: namespaceOf(row), name: nameOf(row), ...this.template(row) };
  }
}
