import { type Draft, MINUTE, type NodeDraft } from '../draft.ts';
import {
  CAPACITY_TYPE,
  DO_NOT_DISRUPT,
  HOSTNAME,
  INITIALIZED,
  INSTANCE_TYPE,
  NODEPOOL,
  REGISTERED,
  ZONE,
} from '../names.ts';
import { addNode, measure } from '../nodes.ts';
import { addPool, condition, settlePool } from '../pools.ts';
import type { Theme } from '../theme.ts';

/** Nodes in every state between launch and termination, and unmanaged nodes. */
export const nodes: Theme = {
  nodes(d) {
    const r = d.random;
    for (const n of d.nodes) if (r.chance(0.35)) r.pick(CHANGES)(d, n);
    const strangers = r.int(0, 3);
    for (let i = 0; i < strangers; i++) stranger(d);
  },
};

type Change = (d: Draft, n: NodeDraft) => void;

function uninitialized(d: Draft, n: NodeDraft): void {
  if (!n.node || !n.claim) return;
  delete n.node.metadata.labels[INITIALIZED];
  n.claim.status.conditions = n.claim.status.conditions.filter(
    (c) => c.type !== 'Initialized' && c.type !== 'Consolidatable',
  );
  n.node.spec.taints ??= [];
  const taints = n.node.spec.taints;
  if (d.random.chance(0.5))
    taints.push({ key: 'node.kubernetes.io/not-ready', effect: d.random.pick(['NoSchedule', 'NoExecute']) });
  if (d.random.chance(0.3)) taints.push({ key: 'readiness.k8s.io/network', effect: 'NoSchedule' });
  if (d.random.chance(0.3)) {
    n.claim.spec.startupTaints = [{ key: 'startup', value: 'yes', effect: 'NoSchedule' }];
    taints.push({ key: 'startup', value: 'other', effect: 'NoSchedule' });
  }
  // The device plugin has not reported yet: zero stands for the claim's figure.
  if (d.random.chance(0.5)) n.node.status.allocatable = { ...n.node.status.allocatable, cpu: '0' };
  if (d.random.chance(0.2)) n.node.status.allocatable = {};
}

function unregistered(d: Draft, n: NodeDraft): void {
  uninitialized(d, n);
  if (!n.node || !n.claim) return;
  delete n.node.metadata.labels[REGISTERED];
  n.claim.status.conditions = n.claim.status.conditions.filter((c) => c.type !== 'Registered');
  n.node.spec.taints = [...(n.node.spec.taints ?? []), { key: 'karpenter.sh/unregistered', effect: 'NoExecute' }];
}

function withoutNode(d: Draft, n: NodeDraft): void {
  if (!n.claim) return;
  if (d.random.chance(0.3)) n.claim.metadata.annotations = { [DO_NOT_DISRUPT]: 'true' };
  delete n.node;
  delete n.claim.status.nodeName;
  n.claim.status.conditions = n.claim.status.conditions.filter((c) => c.type === 'Launched');
}

function deleting(_d: Draft, n: NodeDraft): void {
  if (n.claim)
    Object.assign(n.claim.metadata, {
      deletionTimestamp: '2026-08-20T11:55:00Z',
      finalizers: ['karpenter.sh/termination'],
    });
}

const CHANGES: readonly Change[] = [
  uninitialized,
  unregistered,
  withoutNode,
  deleting,
  deleting,
  (d, n) =>
    n.claim?.status.conditions.push(
      condition('InstanceTerminating', d.nowMs - MINUTE, d.random.pick(['True', 'False'])),
    ),
  (_d, n) =>
    n.node && Object.assign(n.node.metadata, { deletionTimestamp: '2026-08-20T11:55:00Z', finalizers: ['x/y'] }),
  (d, n) => {
    if (n.node) n.node.status.conditions = [{ type: 'Ready', status: d.random.pick(['False', 'Unknown']) }];
  },
  (_d, n) => {
    if (n.node) n.node.status.conditions = [];
  },
  (d, n) => {
    if (n.node) n.node.metadata.annotations = { [DO_NOT_DISRUPT]: d.random.pick(['true', 'false', '1h', 'True', '']) };
  },
  (d, n) => {
    if (n.claim) n.claim.metadata.annotations = { [DO_NOT_DISRUPT]: d.random.pick(['true', 'false']) };
  },
  (d, n) => {
    if (n.node) delete n.node.metadata.labels[d.random.pick([INSTANCE_TYPE, ZONE, CAPACITY_TYPE, HOSTNAME])];
  },
  (d, n) => {
    if (n.node && n.claim)
      for (const o of [n.node, n.claim]) delete o.metadata.labels[d.random.pick([ZONE, CAPACITY_TYPE])];
  },
  (_d, n) => {
    if (n.node) n.node.metadata.labels[INSTANCE_TYPE] = 'x9.unknown';
  },
  (_d, n) => {
    if (n.node && n.claim) for (const o of [n.node, n.claim]) o.metadata.labels[ZONE] = 'zone-nowhere';
  },
  (_d, n) => {
    if (n.node) n.node.metadata.labels[NODEPOOL] = 'no-such-pool';
  },
  (_d, n) => {
    if (n.claim) n.claim.status.conditions = n.claim.status.conditions.filter((c) => c.type !== 'Consolidatable');
  },
  (_d, n) => {
    if (n.claim) for (const c of n.claim.status.conditions) if (c.type === 'Consolidatable') c.status = 'Unknown';
  },
  overCommitted,
];

/** Allocatable shrank after pods were placed: the node has less than nothing left. */
function overCommitted(d: Draft, n: NodeDraft): void {
  if (!n.node) return;
  measure(n);
  n.node.status.allocatable = {
    ...n.node.status.allocatable,
    [d.random.pick(['cpu', 'memory', 'pods'])]: d.random.pick(['1', '100m']),
  };
}

/** A node that Karpenter did not make, or whose claim is gone. */
function stranger(d: Draft): void {
  const r = d.random;
  if (r.chance(0.5)) {
    const n = addNode(d, undefined);
    if (n.node && r.chance(0.3)) n.node.spec.providerID = '';
    if (n.node && r.chance(0.3)) n.node.metadata.labels = { [HOSTNAME]: n.name };
    return;
  }
  const n = addNode(d, r.pick(d.pools));
  delete n.claim;
  if (n.node && r.chance(0.3)) n.node.metadata.labels[NODEPOOL] = 'gone';
}

export const deletingNodes: Theme = {
  nodes(d) {
    for (const n of d.nodes)
      if (d.random.chance(0.15))
        d.random.pick([deleting, deleting, deleting, deleting, uninitialized, unregistered, withoutNode])(d, n);
    if (d.random.chance(0.3)) settlePool(d, addPool(d, 'unused'));
  },
};
