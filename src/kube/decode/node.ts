import type { NodeObject, Resources } from '../../engine/cluster/objects.ts';
import { CORDONED, LEAVING_TAINT, NODE_POOL, withNewerLabels } from '../../engine/cluster/well-known.ts';
import { sameTaint } from '../../engine/selection/taints.ts';
import { fields, type Row, shared, text as textLeaf, whole } from '../read/json-shape.ts';
import { conditionStatus, HEARTBEAT_CONDITIONS, newestConditionMs } from './condition.ts';
import { type JsonObject, labels, optionalText, text } from './field-value.ts';
import { Interned } from './interned.ts';
import { createdMsOf, isTerminating, nameOf, objectShape } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';
import { decodeTaints } from './taint.ts';

export const NODE = objectShape({
  // Each node has its own hostname label, so labels are never shared.
  labels: whole(),
  annotations: { 'karpenter.sh/do-not-disrupt': shared('doNotDisrupt') },
  top: {
    spec: fields({ providerID: textLeaf(), taints: shared(), unschedulable: shared() }),
    status: fields({
      capacity: shared(),
      allocatable: shared(),
      conditions: HEARTBEAT_CONDITIONS,
    }),
  },
});

export class NodeDecoder {
  private readonly taints = new Interned<Pick<NodeObject, 'taints' | 'steered' | 'steeredFrom'>>(taintsOf);
  private readonly amounts = new Interned<Resources>(resourceAmounts);

  decode(row: Row): NodeObject {
    const given = labels(row.labels, 'metadata.labels');
    const spec = this.taints.of(row.taints, 'spec.taints');
    const cordoned = row.unschedulable === true && !spec.taints.some(({ key }) => key === CORDONED);
    return {
      name: nameOf(row),
      // Karpenter reads labels of its own nodes as they are.
      labels: given[NODE_POOL] === undefined ? withNewerLabels(given) : given,
      doNotDisrupt: optionalText(row.doNotDisrupt, 'metadata.annotations[karpenter.sh/do-not-disrupt]'),
      createdMs: createdMsOf(row),
      terminating: isTerminating(row),
      providerId: text(row.providerID, 'spec.providerID'),
      ...spec,
      ...(cordoned ? { cordoned } : {}),
      capacity: this.amounts.of(row.capacity, 'status.capacity'),
      allocatable: this.amounts.of(row.allocatable, 'status.allocatable'),
      ready: conditionStatus(row.conditions, 'Ready'),
    };
  }
}

/** Time of the last heartbeat; 0 if there is none. */
export function lastHeartbeatMs(row: Row): number {
  return newestConditionMs(row.conditions);
}

/** Leaves out the taint of steering, which no decision depends on. */
function taintsOf(raw: unknown, path: string): Pick<NodeObject, 'taints' | 'steered' | 'steeredFrom'> {
  const all = decodeTaints(raw, path);
  const at = all.findIndex((taint) => sameTaint(taint, LEAVING_TAINT));
  if (at === -1) return { taints: all };
  const { timeAdded } = (raw as readonly JsonObject[])[at];
  const atMs = typeof timeAdded === 'string' ? Date.parse(timeAdded) : Number.NaN;
  const pods = /^\d{1,4}$/.test(all[at].value) ? Number(all[at].value) : Number.NaN;
  const steeredFrom = Number.isNaN(atMs + pods) ? {} : { steeredFrom: { atMs, pods } };
  return { taints: all.toSpliced(at, 1), steered: true, ...steeredFrom };
}
