import type { Labels, NodeClaimObject, Resources, Taint } from '../../engine/cluster/objects.ts';
import { fields, type Row, shared, text as textLeaf, time } from '../read/json-shape.ts';
import { CONDITIONS, decodeConditions } from './condition.ts';
import { decodeDurationOrNever } from './duration.ts';
import { isAbsent, labels, optionalText, text } from './field-value.ts';
import { Interned } from './interned.ts';
import { createdMsOf, isTerminating, nameOf, objectShape, uidOf } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';
import { decodeTaints } from './taint.ts';

export const NODE_CLAIM = objectShape({
  annotations: { 'karpenter.sh/do-not-disrupt': shared('doNotDisrupt') },
  top: {
    spec: fields({ taints: shared(), startupTaints: shared(), expireAfter: shared() }),
    status: fields({
      providerID: textLeaf(),
      nodeName: textLeaf(),
      capacity: shared(),
      allocatable: shared(),
      conditions: CONDITIONS,
      lastPodEventTime: time(),
    }),
  },
});

export class NodeClaimDecoder {
  private readonly labels = new Interned<Labels>(labels);
  private readonly taints = new Interned<readonly Taint[]>(decodeTaints);
  private readonly amounts = new Interned<Resources>(resourceAmounts);

  decode(row: Row): NodeClaimObject {
    const expireAfter = row.expireAfter;
    return {
      name: nameOf(row),
      uid: uidOf(row),
      labels: this.labels.of(row.labels, 'metadata.labels'),
      doNotDisrupt: optionalText(row.doNotDisrupt, 'metadata.annotations[karpenter.sh/do-not-disrupt]'),
      createdMs: createdMsOf(row),
      terminating: isTerminating(row),
      taints: this.taints.of(row.taints, 'spec.taints'),
      startupTaints: this.taints.of(row.startupTaints, 'spec.startupTaints'),
      expireAfterMs: isAbsent(expireAfter) ? undefined : decodeDurationOrNever(expireAfter, 'spec.expireAfter'),
      providerId: text(row.providerID, 'status.providerID'),
      nodeName: text(row.nodeName, 'status.nodeName'),
      capacity: this.amounts.of(row.capacity, 'status.capacity'),
      allocatable: this.amounts.of(row.allocatable, 'status.allocatable'),
      conditions: decodeConditions(row.conditions),
      lastPodEventMs: row.lastPodEventTime as number | undefined,
    };
  }
}
