import type { DaemonSetObject } from '../../engine/cluster/objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { labels } from './field-value.ts';
import { FIRST, nameOf, namespaceOf, objectShape, uidOf } from './metadata.ts';
import { PodConstraintSets } from './pod-constraints.ts';
import { PodRequests } from './pod-requests.ts';
import { POD_SPEC } from './pod-spec.ts';

const TEMPLATE_LABELS = FIRST;
const TEMPLATE_PATH = 'spec.template.spec';

export const DAEMON_SET = objectShape({
  top: {
    spec: fields({
      template: fields({ metadata: fields({ labels: shared(TEMPLATE_LABELS) }), spec: POD_SPEC }),
    }),
  },
});

export class DaemonSetDecoder {
  private readonly requests = new PodRequests(TEMPLATE_PATH, true);
  private readonly constraints = new PodConstraintSets(TEMPLATE_PATH);

  decode(row: Row): DaemonSetObject {
    return {
      namespace: namespaceOf(row),
      name: nameOf(row),
      uid: uidOf(row),
      labels: labels(row[TEMPLATE_LABELS], 'spec.template.metadata.labels'),
      requests: this.requests.of(row),
      constraints: this.constraints.of(row),
    };
  }
}
