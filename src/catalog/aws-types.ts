import type { InstanceType, NodeSelectorRequirement, Offering, Resources } from '../engine/cluster/objects.ts';
import { ARCH, INSTANCE_TYPE, REGION } from '../engine/cluster/well-known.ts';
import { regionOffers, type Zone } from './region-offerings.ts';
import { interruptionsPerHour, type RegionTable } from './region-table.ts';
import { doesNotExist, isIn } from './requirements.ts';

/** AWS's types, by columns; `generate/make-bundled-tables.ts` writes it. */
export interface AwsTypeTable {
  readonly names: readonly string[];
  /** A type's value is `values[column[type]]`; null means that the node lacks the label. */
  readonly labels: readonly {
    readonly key: string;
    readonly values: readonly (string | null)[];
    readonly column: readonly number[];
  }[];
  /** A type's amount is `unit * column[type]`, cpu in millicores; 0 means none. */
  readonly allocatable: readonly {
    readonly resource: string;
    readonly unit: number;
    readonly column: readonly number[];
  }[];
}

const MIB = 2 ** 20;
/** The root volume of AL2023 nodes by default. */
const ROOT_VOLUME = 20 * 2 ** 30;
const PROVIDER = 'karpenter.k8s.aws/';
/** Prefix of labels on nodes of EKS Auto Mode. */
export const AUTO_MODE = 'eks.amazonaws.com/';

/** Types that the region's table sells. `labelPrefix`: EKS Auto Mode uses another prefix for the same labels. */
export function awsInstanceTypes(
  table: AwsTypeTable,
  prices: RegionTable,
  zones: readonly Zone[],
  labelPrefix = PROVIDER,
): InstanceType[] {
  const typeOf = typesFrom(table, prices.region, labelPrefix);
  const offersOf = regionOffers(prices, zones);
  return prices.types.flatMap((type, position) => {
    const { offerings, zones: sold, capacityTypes } = offersOf(position);
    return offerings.length === 0 ? [] : typeOf(type, prices.interruptions?.[position], offerings, sold, capacityTypes);
  });
}

/** All types without offerings, for the prices of a region whose table lacks some of them, or that has no table. */
export function awsTypesWithoutOfferings(
  table: AwsTypeTable,
  region: string,
  prices: RegionTable | undefined,
  labelPrefix = PROVIDER,
): InstanceType[] {
  const typeOf = typesFrom(table, region, labelPrefix);
  const bands = new Map(prices?.types.map((type, position) => [type, prices.interruptions?.[position]]));
  return table.names.map((_, type) => typeOf(type, bands.get(type), []));
}

function typesFrom(table: AwsTypeTable, region: string, labelPrefix: string) {
  const labelsOf = labelsFrom(table, region, labelPrefix);
  const capacityOf = capacityFrom(table);
  return (
    type: number,
    band: number | undefined,
    offerings: readonly Offering[],
    ...sold: readonly NodeSelectorRequirement[]
  ): InstanceType => {
    const name = table.names[type];
    const allocatable = allocatableOf(table, type);
    const rate = interruptionsPerHour(band ?? 0);
    return {
      name,
      requirements: labelsOf(type, name, ...sold),
      capacity: capacityOf(type, allocatable),
      allocatable,
      offerings,
      ...(rate === undefined ? {} : { spotInterruptionsPerHour: rate }),
    };
  };
}

/**
 * Requirements are shared by all types, and arrays are allocated at their final length: every command runs this, and
 * growing them takes three times as long.
 */
function labelsFrom(table: AwsTypeTable, region: string, prefix: string) {
  const labels = table.labels.map(({ key: bundled, values, column }) => {
    const key = bundled.replace(PROVIDER, prefix);
    return { made: values.map((value) => (value === null ? doesNotExist(key) : isIn(key, value))), column };
  });
  const everywhere = [
    isIn(REGION, region),
    doesNotExist('node.kubernetes.io/windows-build'),
    ...(prefix === AUTO_MODE ? [isIn(`${AUTO_MODE}compute-type`, 'auto')] : []),
  ];
  return (
    type: number,
    name: string,
    ...sold: readonly NodeSelectorRequirement[]
  ): readonly NodeSelectorRequirement[] => {
    const requirements = new Array<NodeSelectorRequirement>(1 + labels.length + everywhere.length + sold.length);
    let next = 0;
    requirements[next++] = { key: INSTANCE_TYPE, operator: 'In', values: [name] };
    for (const { made, column } of labels) requirements[next++] = made[column[type]];
    for (const requirement of everywhere) requirements[next++] = requirement;
    for (const requirement of sold) requirements[next++] = requirement;
    return requirements;
  };
}

function allocatableOf(table: AwsTypeTable, type: number): Resources {
  const allocatable: Record<string, number> = {};
  for (const { resource, unit, column } of table.allocatable) {
    const amount = column[type];
    if (amount > 0) allocatable[resource] = unit * amount;
  }
  return allocatable;
}

/**
 * The table has allocatable amounts; capacity counts against NodePool limits. It is derived as in Karpenter's AWS
 * provider: vCPUs, and memory less 64 MiB on Graviton less 7.5 % for the hypervisor. A test checks every type.
 */
function capacityFrom(table: AwsTypeTable): (type: number, allocatable: Resources) => Resources {
  const label = (key: string): ((type: number) => string) => {
    const found = table.labels.find((l) => l.key === key);
    return (type) => found?.values[found.column[type]] ?? '';
  };
  const cpus = label(`${PROVIDER}instance-cpu`);
  const mebibytes = label(`${PROVIDER}instance-memory`);
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
