import { CPU, MEMORY } from '../cluster/request-table.ts';
import type { Candidate } from '../disruption/candidates.ts';
import { netWorth } from '../disruption/net-worth.ts';
import { requiredSavings } from '../disruption/required-savings.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { fairPrices } from './fair-prices.ts';
import { Ties } from './ties.ts';
import type { Vessels } from './vessels.ts';

/** Which nodes are looked at first. No order is best on every cluster, so a search tries several. */
export type OrderName = 'worth' | 'waste' | 'wasteful' | 'price';

/** What a node's pods ask for. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
  /** What that would cost on new nodes of its pool without waste, in cents per hour. */
  readonly fairCents: number;
  /** What the node costs beyond what is required for disrupting it, in cents per hour. */
  readonly cents: number;
  /** 0: all memory, 1: all cpu, by shares of the node. */
  readonly slant: number;
  /** Equal for nodes whose pods can likely share a new node: of one pool, with the same ties. */
  readonly kin: string;
}

export function usages(
  cluster: CompiledCluster,
  candidates: readonly Candidate[],
  vessels: Vessels,
): ReadonlyMap<Candidate, Usage> {
  const out = new Map<Candidate, Usage>();
  const ties = new Ties(cluster);
  for (const [pool, own] of Map.groupBy(candidates, (c) => c.pool)) {
    const sums = own.map((c) => sumOf(cluster, c));
    const fair = fairPrices(vessels.of(pool), {
      cpu: sums.reduce((sum, u) => sum + u.cpu, 0),
      memory: sums.reduce((sum, u) => sum + u.memory, 0),
    });
    own.forEach((c, i) => {
      const { cpu, memory } = sums[i];
      out.set(c, {
        ...sums[i],
        fairCents: cpu * fair.cpu + memory * fair.memory,
        cents: c.price * 100 - requiredSavings([c]).requiredCents,
        slant: slantOf(cluster, c, sums[i]),
        kin: `${pool.name} ${ties.of(c.row)}`,
      });
    });
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

function slantOf(
  cluster: CompiledCluster,
  { row }: Candidate,
  used: { readonly cpu: number; readonly memory: number },
) {
  const { allocatable } = cluster.rows[row];
  const cpu = used.cpu / (allocatable.cpu || Infinity);
  const memory = used.memory / (allocatable.memory || Infinity);
  return cpu + memory === 0 ? 0.5 : cpu / (cpu + memory);
}

/** The nodes in the order of that name; ties by disruption cost, then by name. */
export function inOrder(
  candidates: readonly Candidate[],
  usage: ReadonlyMap<Candidate, Usage>,
  order: OrderName,
): Candidate[] {
  const key = new Map(candidates.map((c) => [c, keyOf(c, usage.get(c) as Usage, order)]));
  return [...candidates].sort(
    (a, b) =>
      (key.get(b) as number) - (key.get(a) as number) ||
      a.disruptionCost - b.disruptionCost ||
      (a.name < b.name ? -1 : 1),
  );
}

/** Greater is sooner. */
function keyOf(c: Candidate, { cents, fairCents }: Usage, order: OrderName): number {
  switch (order) {
    case 'worth':
      return netWorth(c);
    case 'waste':
      return cents - fairCents;
    case 'wasteful':
      return (cents - fairCents) / Math.max(c.price, 1e-9);
    case 'price':
      return cents;
  }
}
