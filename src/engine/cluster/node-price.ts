import type { CoveredBy } from './commitment.ts';
import { capacityTypeOf } from './node-group.ts';
import type { ClusterObjects, InstanceType, Labels, NodeObject, NodeSelectorRequirement } from './objects.ts';
import type { PriceSource } from './price-origin.ts';
import { CAPACITY_TYPE, INSTANCE_TYPE, NODE_POOL, OS, WINDOWS, ZONE } from './well-known.ts';

export interface Quote {
  /** Dollars per hour. */
  readonly price: number;
  /** undefined for a catalog named by the operator. */
  readonly source: PriceSource | undefined;
  readonly coveredBy?: CoveredBy;
}

/**
 * The price of a running node of the type with these labels, whether or not the offering is available; undefined if
 * unknown.
 */
export function quoteOf(type: InstanceType | undefined, labels: Labels): Quote | undefined {
  const [zone, capacityType] = [labels[ZONE] ?? '', capacityTypeOf(labels)];
  const offering = type?.offerings.find(
    ({ price, requirements }) =>
      !Number.isNaN(price) &&
      firstValue(requirements, ZONE) === zone &&
      firstValue(requirements, CAPACITY_TYPE) === capacityType,
  );
  if (offering === undefined) return undefined;
  const { price, priceSource: source, coveredBy } = offering;
  // Tables and Karpenter's metrics have Linux prices. A catalog named by the operator is used as is.
  if (labels[OS] === WINDOWS && source !== undefined && source !== 'overlay') return undefined;
  return coveredBy === undefined ? { price, source } : { price, source, coveredBy };
}

function firstValue(requirements: readonly NodeSelectorRequirement[], key: string): string {
  return requirements.find((r) => r.key === key)?.values?.[0] ?? '';
}

/** Of the nodes of NodePools; of all nodes if none of them has a price. */
export interface PriceCoverage {
  readonly of: 'nodes' | 'nodes of NodePools';
  readonly nodes: number;
  readonly unpriced: number;
  readonly unpricedVcpuPercent: number;
  /** A node without a price: its type, zone, capacity type, and Windows. */
  readonly example: string;
}

export function priceCoverage({
  nodes,
  instanceTypes,
}: Pick<ClusterObjects, 'nodes' | 'instanceTypes'>): PriceCoverage {
  const types = new Map(instanceTypes.map((type) => [type.name, type]));
  const isUnpriced = ({ labels }: NodeObject) => quoteOf(types.get(labels[INSTANCE_TYPE] ?? ''), labels) === undefined;
  const managed = nodes.filter(({ labels }) => labels[NODE_POOL] !== undefined);
  const counted = nodes.every(isUnpriced) ? nodes : managed;
  const unpriced = counted.filter(isUnpriced);
  // A node that has not registered yet has no vCPUs.
  const vcpus = (some: typeof counted) =>
    some.reduce((sum, { capacity, allocatable }) => sum + (capacity.cpu ?? allocatable.cpu ?? 1), 0);
  const { labels = {} } = unpriced.at(0) ?? {};
  return {
    of: counted.length === managed.length ? 'nodes of NodePools' : 'nodes',
    nodes: counted.length,
    unpriced: unpriced.length,
    unpricedVcpuPercent: unpriced.length === 0 ? 0 : (100 * vcpus(unpriced)) / vcpus(counted),
    example: [labels[INSTANCE_TYPE], labels[ZONE], capacityTypeOf(labels), ...(labels[OS] === WINDOWS ? [WINDOWS] : [])]
      .map((each) => each || '?')
      .join(', '),
  };
}
