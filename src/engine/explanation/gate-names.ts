import type { MoveRefusal, NodeRefusal, Refusal } from '../refusal.ts';

/** Gates for a node, in display order. */
export const NODE_GATES = [
  'managed',
  'decodable',
  'initialized',
  'not-deleting',
  'not-rebooting',
  'node-annotation',
  'pool-known',
  'pods-evictable',
  'capacity-buffer',
  'instance-known',
  'policy',
  'minimum-lifetime',
  'consolidate-after',
  'grace-period',
  'utilization',
] as const;

/** Gates for a move, in display order. */
export const MOVE_GATES = [
  'placeable',
  'initialized-destinations',
  'replacement-count',
  'cheaper',
  'spot-to-spot',
  'minimum-values',
  'minimum-percent',
  'savings-threshold',
  'headroom',
  'balanced',
  'budgets',
  'brakes',
] as const;

export type NodeGateName = (typeof NODE_GATES)[number];
export type MoveGateName = (typeof MOVE_GATES)[number];
export type GateName = NodeGateName | MoveGateName;

/** The gate of each refusal; a refusal without a gate does not compile. */
export const GATE_OF_NODE_REFUSAL: Readonly<Record<NodeRefusal['code'], NodeGateName>> = {
  'not-managed': 'managed',
  'no-node': 'managed',
  'undecodable-object': 'decodable',
  'not-initialized': 'initialized',
  deleting: 'not-deleting',
  rebooting: 'not-rebooting',
  'node-annotation': 'node-annotation',
  'no-node-pool-label': 'pool-known',
  'unknown-node-pool': 'pool-known',
  'pod-annotation': 'pods-evictable',
  'pod-disruption-budget': 'pods-evictable',
  'several-disruption-budgets': 'pods-evictable',
  'no-rollout': 'pods-evictable',
  'ownerless-pod': 'pods-evictable',
  'local-volume': 'pods-evictable',
  'local-data': 'pods-evictable',
  'capacity-buffer': 'capacity-buffer',
  'unknown-instance-type': 'instance-known',
  unpriced: 'instance-known',
  'missing-label': 'instance-known',
  'static-node-pool': 'policy',
  'consolidation-disabled': 'policy',
  'policy-when-empty': 'policy',
  'methods-disabled': 'policy',
  'single-node-disabled': 'policy',
  'emptiness-disabled': 'policy',
  'minimum-lifetime': 'minimum-lifetime',
  'not-consolidatable': 'consolidate-after',
  'empty-ttl': 'consolidate-after',
  'grace-period': 'grace-period',
  utilization: 'utilization',
};

export const GATE_OF_MOVE_REFUSAL: Readonly<Record<MoveRefusal['code'], MoveGateName>> = {
  'no-ready-node-pool': 'placeable',
  'pods-unplaceable': 'placeable',
  'capacity-buffer-room': 'placeable',
  headroom: 'headroom',
  'min-nodes': 'headroom',
  'workload-share': 'headroom',
  'relies-on-uninitialized-node': 'initialized-destinations',
  'too-many-replacements': 'replacement-count',
  'not-cheaper': 'cheaper',
  'covered-by-commitment': 'cheaper',
  'spot-to-spot-disabled': 'spot-to-spot',
  'spot-to-spot-flexibility': 'spot-to-spot',
  'min-values': 'minimum-values',
  'savings-below-percent': 'minimum-percent',
  'savings-below-threshold': 'savings-threshold',
  'balanced-score': 'balanced',
  budget: 'budgets',
  stabilization: 'brakes',
  'workload-evictions': 'brakes',
  'pool-cooldown': 'brakes',
  'not-paid-back': 'brakes',
};

export function isAboutMove(r: Refusal): r is MoveRefusal {
  return Object.hasOwn(GATE_OF_MOVE_REFUSAL, r.code);
}

export function isMoveGate(gate: GateName): gate is MoveGateName {
  return (MOVE_GATES as readonly GateName[]).includes(gate);
}
