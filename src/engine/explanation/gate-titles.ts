import type { GateName } from './gate-names.ts';

const TITLES: Readonly<Record<GateName, string>> = {
  managed: 'managed',
  decodable: 'decodable',
  initialized: 'initialized',
  'not-deleting': 'not deleting',
  'not-rebooting': 'not rebooting',
  'node-annotation': 'no annotation',
  'pool-known': 'pool known',
  'pods-evictable': 'pods may go',
  'capacity-buffer': 'capacity buffer',
  'instance-known': 'price',
  policy: 'policy',
  'minimum-lifetime': 'minimum lifetime',
  'consolidate-after': 'consolidateAfter',
  'grace-period': 'grace period',
  utilization: 'utilization',
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
};

export function gateTitle(gate: GateName): string {
  return TITLES[gate];
}
