import { type CoveredBy, commitmentsOf, NOT_COVERED } from '../cluster/commitment.ts';
import { quoteOf } from '../cluster/node-price.ts';
import type { ClusterObjects, NodeObject, PodObject } from '../cluster/objects.ts';
import { isActive } from '../cluster/pods.ts';
import { INSTANCE_TYPE } from '../cluster/well-known.ts';
import { coverage, withSpend } from './cluster-cost.ts';

/**
 * The cost of each pod by its requests, as in OpenCost: a node's price is split between cpu, memory and GPUs in
 * proportion to OpenCost's default prices, and a pod pays for its requests. The rest is idle.
 */
export interface CostAllocation {
  /** Cents per hour of all nodes with a price, and of commitments that no node uses. */
  readonly centsPerHour: number;
  /** Cents per hour of savings plans and reservations; absent without. */
  readonly commitments?: { readonly committedCentsPerHour: number; readonly unusedCentsPerHour: number };
  readonly pods: readonly PodCost[];
  readonly nodes: readonly NodeCost[];
  /** Nodes without a price; their pods cost 0. */
  readonly unpriced: readonly string[];
}

export interface PodCost {
  readonly pod: PodObject;
  readonly centsPerHour: number;
}

export interface NodeCost {
  readonly node: NodeObject;
  readonly centsPerHour: number;
  readonly idleCentsPerHour: number;
}

/** OpenCost's default prices: dollars per hour of a cpu, a GiB of memory, a GPU. Only their proportion counts. */
const CPU = 0.031611;
const MEMORY_GIB = 0.004237;
const GPU = 0.95;

const GIB = 2 ** 30;
const GPUS = ['nvidia.com/gpu', 'amd.com/gpu', 'habana.ai/gaudi'];

export function allocateCost(objects: ClusterObjects): CostAllocation {
  const { byNode, committed, used } = nodeCosts(objects);
  const podsOf = Map.groupBy(
    objects.pods.filter((pod) => pod.nodeName !== '' && isActive(pod)),
    (pod) => pod.nodeName,
  );
  const pods: PodCost[] = [];
  const nodes: NodeCost[] = [];
  const unpriced: string[] = [];
  for (const node of objects.nodes) {
    const own = podsOf.get(node.name) ?? [];
    const price = byNode.get(node);
    if (price === undefined) unpriced.push(node.name);
    const centsPerHour = (price ?? 0) * 100;
    const whole = weightOf(node.capacity);
    let requested = 0;
    for (const pod of own) {
      const share = whole === 0 ? 0 : weightOf(pod.requests) / whole;
      requested += share;
      pods.push({ pod, centsPerHour: centsPerHour * share });
    }
    if (price !== undefined)
      nodes.push({ node, centsPerHour, idleCentsPerHour: centsPerHour * Math.max(0, 1 - requested) });
  }
  const unused = (committed - used) * 100;
  return {
    centsPerHour: nodes.reduce((sum, n) => sum + n.centsPerHour, 0) + unused,
    ...(committed === 0 ? {} : { commitments: { committedCentsPerHour: committed * 100, unusedCentsPerHour: unused } }),
    pods,
    nodes,
    unpriced,
  };
}

/** Relative value of resources. */
function weightOf(amounts: NodeObject['capacity']): number {
  const { cpu = 0, memory = 0 } = amounts;
  const gpus = GPUS.reduce((sum, name) => sum + (amounts[name] ?? 0), 0);
  return (cpu / 1000) * CPU + (memory / GIB) * MEMORY_GIB + gpus * GPU;
}

/** Costs of pods grouped by a name, most expensive first. */
export interface CostGroup {
  readonly name: string;
  readonly pods: number;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  readonly centsPerHour: number;
}

export function groupCosts(pods: readonly PodCost[], nameOf: (pod: PodObject) => string): readonly CostGroup[] {
  const groups = [...Map.groupBy(pods, ({ pod }) => nameOf(pod))].map(([name, own]) => ({
    name,
    pods: own.length,
    cpuMilli: own.reduce((sum, { pod }) => sum + (pod.requests.cpu ?? 0), 0),
    memoryBytes: own.reduce((sum, { pod }) => sum + (pod.requests.memory ?? 0), 0),
    centsPerHour: own.reduce((sum, { centsPerHour }) => sum + centsPerHour, 0),
  }));
  return groups.sort((a, b) => b.centsPerHour - a.centsPerHour || (a.name < b.name ? -1 : 1));
}

interface NodeCosts {
  /** Dollars per hour: the list price less what commitments pay for, at their rates. Absent without a price. */
  readonly byNode: ReadonlyMap<NodeObject, number>;
  /** Dollars per hour of commitments: what is paid, and what of it is used. */
  readonly committed: number;
  readonly used: number;
}

/** What each node costs. Nodes that take each other's place in a commitment share it by their prices. */
function nodeCosts({ nodes, instanceTypes }: Pick<ClusterObjects, 'nodes' | 'instanceTypes'>): NodeCosts {
  const types = new Map(instanceTypes.map((type) => [type.name, type]));
  const quotes = nodes.flatMap((node) => {
    const quote = quoteOf(types.get(node.labels[INSTANCE_TYPE] ?? ''), node.labels);
    return quote === undefined ? [] : [{ node, coveredBy: NOT_COVERED, ...quote }];
  });
  const commitments = commitmentsOf(instanceTypes);
  if (commitments.length === 0)
    return { byNode: new Map(quotes.map(({ node, price }) => [node, price])), committed: 0, used: 0 };
  const spend = withSpend(
    new Map(),
    quotes.map(({ coveredBy, price }) => [coveredBy, price]),
  );
  const { bySpend, paidFor } = coverage(spend);
  const share = (coveredBy: CoveredBy): number => {
    const list = spend.get(coveredBy) ?? 0;
    const covered = bySpend.get(coveredBy) ?? 0;
    return list === 0 ? 1 : (list - covered + (paidFor.get(coveredBy) ?? 0)) / list;
  };
  return {
    byNode: new Map(quotes.map(({ node, price, coveredBy }) => [node, price * share(coveredBy)])),
    committed: commitments.reduce((sum, c) => sum + c.dollarsPerHour, 0),
    used: [...paidFor.values()].reduce((sum, dollars) => sum + dollars, 0),
  };
}
