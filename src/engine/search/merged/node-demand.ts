import { CPU, MEMORY } from '../../cluster/request-table.ts';
import type { Candidate } from '../../disruption/candidates.ts';
import { requiredSavings } from '../../disruption/required-savings.ts';
import type { CompiledCluster } from '../../scheduling/compiled-cluster.ts';
import { fairPrices } from './fair-prices.ts';
import type { LaunchOptions } from './launch-options.ts';
import { SharedConstraints } from './shared-constraints.ts';

/** The requests of a node's pods. */
export interface NodeDemand {
  readonly cpu: number;
  readonly memory: number;
  /** What that would cost on new nodes of its pool without waste, in cents per hour. */
  readonly fairCents: number;
  /** What the node costs beyond what is required for disrupting it, in cents per hour. */
  readonly cents: number;
  /** 0: all memory, 1: all cpu, by shares of the node. */
  readonly cpuShare: number;
  /** Equal for nodes whose pods can likely share a new node: of one pool, with the same shared constraints. */
  readonly group: string;
  /** Equal for nodes with the same shared constraints, of any pool. */
  readonly constraints: string;
}

export type NodeDemands = ReadonlyMap<Candidate, NodeDemand>;

/** Nodes whose demands are summed before others get a turn. */
const NODES_AT_ONCE = 1024;

export function* nodeDemands(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  launchOptions: LaunchOptions,
): Generator<void, NodeDemands> {
  const out = new Map<Candidate, NodeDemand>();
  const constraints = new SharedConstraints(cluster);
  for (const [pool, own] of Map.groupBy(candidates, (c) => c.pool)) {
    const sums = own.map((c) => sumOf(cluster, c));
    const fair = fairPrices(launchOptions.of(pool), {
      cpu: sums.reduce((sum, u) => sum + u.cpu, 0),
      memory: sums.reduce((sum, u) => sum + u.memory, 0),
    });
    for (const [i, c] of own.entries()) {
      if (i % NODES_AT_ONCE === 0) yield;
      const { cpu, memory } = sums[i];
      const shared = constraints.of(c.row);
      out.set(c, {
        ...sums[i],
        fairCents: cpu * fair.cpu + memory * fair.memory,
        cents: c.price * 100 - requiredSavings([c]).requiredCents,
        cpuShare: cpuShareOf(cluster, c, sums[i]),
        group: `${pool.name} ${shared}`,
        constraints: shared,
      });
    }
  }
  return out;
}

function sumOf(cluster: CompiledCluster, { row }: Candidate): { readonly cpu: number; readonly memory: number } {
  let cpu = 0;
  let memory = 0;
  for (const pod of cluster.movableOfRow[row]) {
    const amounts = cluster.requests.amounts(cluster.requestOfPod[pod]);
    cpu += amounts[CPU];
    memory += amounts[MEMORY];
  }
  return { cpu, memory };
}

function cpuShareOf(
  cluster: CompiledCluster,
  { row }: Candidate,
  used: { readonly cpu: number; readonly memory: number },
) {
  const { allocatable } = cluster.rows[row];
  const cpu = used.cpu / (allocatable.cpu || Infinity);
  const memory = used.memory / (allocatable.memory || Infinity);
  return cpu + memory === 0 ? 0.5 : cpu / (cpu + memory);
}
