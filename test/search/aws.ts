import { loadCatalog } from '../../src/catalog/load.ts';
import type { InstanceType, NodePoolObject } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, ON_DEMAND } from '../../src/engine/cluster/well-known.ts';
import { is } from '../build/constraints.ts';
import { type Machine, type MachineSketch, machine } from '../build/machine.ts';
import { nodePool } from '../build/node-pool.ts';

/** us-east-1 as bundled. */
export const CATALOG: readonly InstanceType[] = (await loadCatalog({ name: 'aws/us-east-1' })).types;

export function awsType(name: string): InstanceType {
  const found = CATALOG.find((t) => t.name === name);
  if (found === undefined) throw new Error(`no type ${name}`);
  return found;
}

export function awsTypes(...names: readonly string[]): InstanceType[] {
  return names.map(awsType);
}

export function awsNode(name: string, type: string, more: Omit<MachineSketch, 'type'> = {}): Machine {
  return machine(name, { type: awsType(type), zone: 'us-east-1a', ...more });
}

export const ON_DEMAND_ONLY = is(CAPACITY_TYPE, 'In', ON_DEMAND);

export function onDemandPool(name: string, more: Partial<NodePoolObject> = {}): NodePoolObject {
  return nodePool(name, { ...more, requirements: [ON_DEMAND_ONLY, ...(more.requirements ?? [])] });
}
