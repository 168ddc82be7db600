import type { WorkloadObject } from '../../engine/cluster/objects.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { integer, text } from './field-value.ts';
import { decodeOwners, FIRST, KIND, nameOf, namespaceOf, OWNERS, objectShape, uidOf } from './metadata.ts';

const REPLICAS = FIRST;
const READY = FIRST + 1;

export const WORKLOAD = objectShape({
  top: { spec: fields({ replicas: shared(REPLICAS) }), status: fields({ readyReplicas: shared(READY) }) },
});

/** A Job's pods run in parallel: that is its number of replicas. */
export const JOB = objectShape({
  top: { spec: fields({ parallelism: shared(REPLICAS) }), status: fields({ ready: shared(READY) }) },
});

export function decodeWorkload(row: Row): WorkloadObject {
  return {
    kind: text(row[KIND], 'kind'),
    namespace: namespaceOf(row),
    name: nameOf(row),
    uid: uidOf(row),
    owners: decodeOwners(row[OWNERS], 'metadata.ownerReferences'),
    replicas: integer(row[REPLICAS], 'spec.replicas') ?? 1,
    readyReplicas: integer(row[READY], 'status.readyReplicas') ?? 0,
  };
}
