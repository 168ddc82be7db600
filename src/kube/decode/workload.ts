import type { WorkloadObject } from '../../engine/cluster/objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { integer, text } from './field-value.ts';
import { decodeOwners, KIND, nameOf, namespaceOf, OWNERS, objectShape, uidOf } from './metadata.ts';
import { AFTER_TEMPLATE, PodTemplateDecoder, TEMPLATE } from './pod-template.ts';

const REPLICAS = AFTER_TEMPLATE;
const READY = AFTER_TEMPLATE + 1;

const STATUS = fields({ readyReplicas: shared(READY) });

/** Deployments, ReplicaSets and StatefulSets: a CapacityBuffer may ask for room for more of their pods. */
export const SCALABLE = objectShape({
  top: { spec: fields({ replicas: shared(REPLICAS), template: TEMPLATE }), status: STATUS },
});

export const WORKLOAD = objectShape({ top: { spec: fields({ replicas: shared(REPLICAS) }), status: STATUS } });

/** A Job's pods run in parallel: that is its number of replicas. */
export const JOB = objectShape({
  top: { spec: fields({ parallelism: shared(REPLICAS) }), status: fields({ ready: shared(READY) }) },
});

const SCALABLE_KINDS = ['Deployment', 'ReplicaSet', 'StatefulSet'];

export class WorkloadDecoder {
  private readonly templates = new PodTemplateDecoder('spec.template', false);

  decode(row: Row): WorkloadObject {
    const kind = text(row[KIND], 'kind');
    return {
      kind,
      namespace: namespaceOf(row),
      name: nameOf(row),
      uid: uidOf(row),
      owners: decodeOwners(row[OWNERS], 'metadata.ownerReferences'),
      replicas: integer(row[REPLICAS], 'spec.replicas') ?? 1,
      readyReplicas: integer(row[READY], 'status.readyReplicas') ?? 0,
      ...(SCALABLE_KINDS.includes(kind) ? { template: this.templates.template(row) } : {}),
    };
  }
}
