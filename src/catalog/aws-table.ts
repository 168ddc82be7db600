import { readFileSync } from 'node:fs';
import type { InstanceType, NodeSelectorRequirement, Offering, Resources } from '../engine/cluster/objects.ts';
import { ARCH, CAPACITY_TYPE, INSTANCE_TYPE, REGION, ZONE } from '../engine/cluster/well-known.ts';
import { doesNotExist, isIn } from './requirements.ts';

/** The bundled table, by columns; `data/make-aws-us-east-1.ts` writes it. */
export interface AwsTable {
  readonly region: string;
  readonly pricesAsOf: string;
  readonly zones: readonly string[];
  readonly names: readonly string[];
  readonly onDemandPrices: readonly number[];
  /** A type's value is `values[column[type]]`; null is "the label is not on the node". */
  readonly labels: readonly {
    readonly key: string;
    readonly values: readonly (string | null)[];
    readonly column: readonly number[];
  }[];
  /** A type's amount is `unit * column[type]`, cpu in millicores; 0 is "the type has none". */
  readonly allocatable: readonly {
    readonly resource: string;
    readonly unit: number;
    readonly column: readonly number[];
  }[];
}

const MIB = 2 ** 20;
/** The root volume of AL2023 nodes unless the EC2NodeClass says otherwise. */
const ROOT_VOLUME = 20 * 2 ** 30;

export function readAwsTable(): AwsTable {
  // Plain ASCII; latin1 spares the check for multi-byte characters.
  return JSON.parse(readFileSync(new URL('./data/aws-us-east-1.json', import.meta.url), 'latin1'));
}

export function awsInstanceTypes(table: AwsTable, spotRatio: number): InstanceType[] {
  const requirementsOf = requirementsFrom(table);
  const offeringsOf = offeringsFrom(table, spotRatio);
  const capacityOf = capacityFrom(table);
  return table.names.map((name, type) => {
    const allocatable = allocatableOf(table, type);
    return {
      name,
      requirements: requirementsOf(type, name),
      capacity: capacityOf(type, allocatable),
      allocatable,
      offerings: offeringsOf(type),
    };
  });
}

/**
 * Each requirement is made once and shared by all types, and the arrays are made at their final length: every
 * command pays for this, and growing them takes three times as long. Identity also tells the engine what is equal.
 */
function requirementsFrom(table: AwsTable): (type: number, name: string) => readonly NodeSelectorRequirement[] {
  const labels = table.labels.map(({ key, values, column }) => ({
    made: values.map((value) => (value === null ? doesNotExist(key) : isIn(key, value))),
    column,
  }));
  const everywhere = [
    isIn(REGION, table.region),
    doesNotExist('node.kubernetes.io/windows-build'),
    isIn(ZONE, ...table.zones),
    isIn(CAPACITY_TYPE, 'on-demand', 'spot'),
  ];
  return (type, name) => {
    const requirements = new Array<NodeSelectorRequirement>(1 + labels.length + everywhere.length);
    let next = 0;
    requirements[next++] = { key: INSTANCE_TYPE, operator: 'In', values: [name] };
    for (const { made, column } of labels) {
      const requirement = made[column[type] ?? 0];
      if (requirement !== undefined) requirements[next++] = requirement;
    }
    for (const requirement of everywhere) requirements[next++] = requirement;
    return requirements;
  };
}

/** Every type in every zone, on demand and as spot. */
function offeringsFrom(table: AwsTable, spotRatio: number): (type: number) => readonly Offering[] {
  const markets = table.zones.flatMap((zone) => [
    { spot: false, requirements: [isIn(CAPACITY_TYPE, 'on-demand'), isIn(ZONE, zone)] },
    { spot: true, requirements: [isIn(CAPACITY_TYPE, 'spot'), isIn(ZONE, zone)] },
  ]);
  return (type) => {
    const onDemand = table.onDemandPrices[type] ?? 0;
    const spot = roundPrice(onDemand * spotRatio);
    return markets.map((market) => ({
      price: market.spot ? spot : onDemand,
      available: true,
      requirements: market.requirements,
      reservationCapacity: 0,
    }));
  };
}

function allocatableOf(table: AwsTable, type: number): Resources {
  const allocatable: Record<string, number> = {};
  for (const { resource, unit, column } of table.allocatable) {
    const amount = column[type] ?? 0;
    if (amount > 0) allocatable[resource] = unit * amount;
  }
  return allocatable;
}

/**
 * The table tells what is allocatable; capacity counts against NodePool limits. It is derived as
 * Karpenter's AWS provider does: vCPUs, and memory less 64 MiB on Graviton less 7.5 % for the hypervisor.
 * That the table's allocatable follows from it for every type is tested.
 */
function capacityFrom(table: AwsTable): (type: number, allocatable: Resources) => Resources {
  const label = (key: string): ((type: number) => string) => {
    const found = table.labels.find((l) => l.key === key);
    return (type) => found?.values[found.column[type] ?? 0] ?? '';
  };
  const cpus = label('karpenter.k8s.aws/instance-cpu');
  const mebibytes = label('karpenter.k8s.aws/instance-memory');
  const arch = label(ARCH);
  return (type, allocatable) => {
    const usable = Number(mebibytes(type)) - (arch(type) === 'arm64' ? 64 : 0);
    return {
      ...allocatable,
      cpu: Number(cpus(type)) * 1000,
      memory: (usable - Math.ceil(usable * 0.075)) * MIB,
      'ephemeral-storage': ROOT_VOLUME,
    };
  };
}

/** To a millionth of a dollar, finer than AWS quotes, so that 0.4 of a price prints as a price. */
function roundPrice(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
