import type { Condition, NodeClaimObject, NodeObject, NodePoolObject } from '../../engine/cluster/objects.ts';
import { LEAVING_TAINT } from '../../engine/cluster/well-known.ts';
import { nothingLeft, unlessEmpty, unlessNone, type Written, writeAmounts, writeObject } from './metadata.ts';
import { goDurationText, timeText } from './time-text.ts';

export function writeNode(node: NodeObject, nowMs: number): Written {
  const { name, labels, doNotDisrupt, createdMs, terminating, ...rest } = node;
  const { providerId, taints, capacity, allocatable, ready, cordoned, steered, steeredFrom, ...others } = rest;
  nothingLeft(others);
  const annotations = { 'karpenter.sh/do-not-disrupt': doNotDisrupt };
  const status = {
    capacity: writeAmounts(capacity),
    allocatable: writeAmounts(allocatable),
    conditions: ready === '' ? undefined : [{ type: 'Ready', status: ready }],
  };
  const from = steeredFrom && { value: String(steeredFrom.pods), timeAdded: timeText(steeredFrom.atMs) };
  const all = steered ? [...taints, { ...LEAVING_TAINT, ...from }] : taints;
  return writeObject(
    'v1',
    'Node',
    { name, createdMs, deletedMs: terminating ? nowMs : undefined, labels, annotations },
    {
      spec: { providerID: providerId || undefined, taints: unlessNone(all), unschedulable: cordoned },
      status,
    },
  );
}

export function writeNodeClaim(claim: NodeClaimObject, nowMs: number): Written {
  const { name, uid, labels, doNotDisrupt, createdMs, terminating, ...specAndStatus } = claim;
  const { taints, startupTaints, expireAfterMs, ...status } = specAndStatus;
  const { providerId, nodeName, capacity, allocatable, conditions, lastPodEventMs, ...rest } = status;
  nothingLeft(rest);
  const annotations = { 'karpenter.sh/do-not-disrupt': doNotDisrupt };
  return writeObject(
    'karpenter.sh/v1',
    'NodeClaim',
    { name, uid, createdMs, deletedMs: terminating ? nowMs : undefined, labels, annotations },
    {
      spec: {
        taints: unlessNone(taints),
        startupTaints: unlessNone(startupTaints),
        expireAfter: expireAfterMs === undefined ? undefined : goDurationText(expireAfterMs),
      },
      status: {
        providerID: providerId || undefined,
        nodeName: nodeName || undefined,
        capacity: writeAmounts(capacity),
        allocatable: writeAmounts(allocatable),
        conditions: unlessNone(conditions.map(writeCondition)),
        lastPodEventTime: lastPodEventMs === undefined ? undefined : timeText(lastPodEventMs),
      },
    },
  );
}

function writeCondition({ type, status, changedMs, ...rest }: Condition): Written {
  nothingLeft(rest);
  return { type, status, lastTransitionTime: changedMs === 0 ? undefined : timeText(changedMs) };
}

export function writeNodePool(pool: NodePoolObject, nowMs: number): Written {
  const { name, uid, labels, terminating, ready, weight, replicas, limits, disruption, ...template } = pool;
  const { templateLabels, requirements, taints, startupTaints, expireAfterMs, nodeClass, ...written } = template;
  // All of these are part of the block, which is written as a whole.
  const { consolidationPolicy: _1, consolidateAfterMs: _2, budgets: _3, selectedBy: _4, ...rest } = written;
  nothingLeft(rest);
  const spec = {
    weight: weight || undefined,
    replicas,
    limits: writeAmounts(limits),
    template: {
      metadata: unlessEmpty({ labels: unlessEmpty(templateLabels) }),
      spec: {
        requirements: unlessNone(requirements),
        taints: unlessNone(taints),
        startupTaints: unlessNone(startupTaints),
        // Absent would mean Karpenter's default.
        expireAfter: expireAfterMs === undefined ? 'Never' : goDurationText(expireAfterMs),
        nodeClassRef: nodeClass,
      },
    },
    disruption,
  };
  return writeObject(
    'karpenter.sh/v1',
    'NodePool',
    { name, uid, deletedMs: terminating ? nowMs : undefined, labels },
    { spec, status: ready ? { conditions: [{ type: 'Ready', status: 'True' }] } : undefined },
  );
}
