import type { Labels, NodeClaimObject, Resources, Taint } from '../../engine/cluster/objects.ts';
import { fields, type Row, shared, text as textLeaf, time } from '../read/json-shape.ts';
import { conditionRows, decodeConditions } from './condition.ts';
import { decodeDurationOrNever } from './duration.ts';
import { isAbsent, labels, optionalText, text } from './field-value.ts';
import { Interned } from './interned.ts';
import { createdMsOf, FIRST, isTerminating, LABELS, nameOf, objectShape, uidOf } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';
import { decodeTaints } from './taint.ts';

const DO_NOT_DISRUPT = FIRST;
const TAINTS = FIRST + 1;
const STARTUP_TAINTS = FIRST + 2;
const EXPIRE_AFTER = FIRST + 3;
const PROVIDER_ID = FIRST + 4;
const NODE_NAME = FIRST + 5;
const CAPACITY = FIRST + 6;
const ALLOCATABLE = FIRST + 7;
const CONDITIONS = FIRST + 8;
const LAST_POD_EVENT = FIRST + 9;

export const NODE_CLAIM = objectShape({
  annotations: { 'karpenter.sh/do-not-disrupt': shared(DO_NOT_DISRUPT) },
  top: {
    spec: fields({ taints: shared(TAINTS), startupTaints: shared(STARTUP_TAINTS), expireAfter: shared(EXPIRE_AFTER) }),
    status: fields({
      providerID: textLeaf(PROVIDER_ID),
      nodeName: textLeaf(NODE_NAME),
      capacity: shared(CAPACITY),
      allocatable: shared(ALLOCATABLE),
      conditions: conditionRows(CONDITIONS),
      lastPodEventTime: time(LAST_POD_EVENT),
    }),
  },
});

export class NodeClaimDecoder {
  private readonly labels = new Interned<Labels>(labels);
  private readonly taints = new Interned<readonly Taint[]>(decodeTaints);
  private readonly amounts = new Interned<Resources>(resourceAmounts);

  decode(row: Row): NodeClaimObject {
    const expireAfter = row[EXPIRE_AFTER];
    return {
      name: nameOf(row),
      uid: uidOf(row),
      labels: this.labels.of(row[LABELS], 'metadata.labels'),
      doNotDisrupt: optionalText(row[DO_NOT_DISRUPT], 'metadata.annotations[karpenter.sh/do-not-disrupt]'),
      createdMs: createdMsOf(row),
      terminating: isTerminating(row),
      taints: this.taints.of(row[TAINTS], 'spec.taints'),
      startupTaints: this.taints.of(row[STARTUP_TAINTS], 'spec.startupTaints'),
      expireAfterMs: isAbsent(expireAfter) ? undefined : decodeDurationOrNever(expireAfter, 'spec.expireAfter'),
      providerId: text(row[PROVIDER_ID], 'status.providerID'),
      nodeName: text(row[NODE_NAME], 'status.nodeName'),
      capacity: this.amounts.of(row[CAPACITY], 'status.capacity'),
      allocatable: this.amounts.of(row[ALLOCATABLE], 'status.allocatable'),
      conditions: decodeConditions(row[CONDITIONS]),
      lastPodEventMs: row[LAST_POD_EVENT] as number | undefined,
    };
  }
}
