import type { MoveRefusal, NodeRefusal, Refusal } from '../refusal.ts';

/** Gates for a node in display order, with their titles. */
const NODE_GATE_TITLES = {
  managed: 'managed',
  decodable: 'decodable',
  initialized: 'initialized',
  'not-deleting': 'not deleting',
  'not-rebooting': 'not rebooting',
  'node-annotation': 'no annotation',
  'pool-known': 'pool known',
  'pods-evictable': 'pods may be evicted',
  'capacity-buffer': 'capacity buffer',
  'instance-known': 'price',
  policy: 'policy',
  'minimum-lifetime': 'minimum lifetime',
  'consolidate-after': 'consolidateAfter',
  'grace-period': 'grace period',
  utilization: 'utilization',
} as const;

/** Gates for a move in display order. */
const MOVE_GATE_TITLES = {
  placeable: 'pods fit',
  'initialized-destinations': 'destinations ready',
  'replacement-count': 'new nodes',
  cheaper: 'cheaper',
  'spot-to-spot': 'spot to spot',
  'minimum-values': 'minValues',
  'minimum-percent': 'minimum percent',
  'savings-threshold': 'savings threshold',
  headroom: 'headroom and spread',
  balanced: 'Balanced score',
  budgets: 'budget',
  brakes: 'brakes',
} as const;

export type NodeGateName = keyof typeof NODE_GATE_TITLES;
export type MoveGateName = keyof typeof MOVE_GATE_TITLES;
export type GateName = NodeGateName | MoveGateName;

export const NODE_GATES = Object.keys(NODE_GATE_TITLES) as readonly NodeGateName[];
export const MOVE_GATES = Object.keys(MOVE_GATE_TITLES) as readonly MoveGateName[];

export const GATE_TITLES: Readonly<Record<GateName, string>> = { ...NODE_GATE_TITLES, ...MOVE_GATE_TITLES };

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
  return Object.hasOwn(MOVE_GATE_TITLES, gate);
}
