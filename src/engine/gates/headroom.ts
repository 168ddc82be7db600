import { hasBit, members } from '../cluster/bitset.ts';
import { amountOf, type Resources } from '../cluster/objects.ts';
import { CPU, MEMORY, PODS } from '../cluster/request-table.ts';
import type { Headroom } from '../disruption/pool-policy.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { Claim } from '../scheduling/claim.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** Free and total millicores, bytes and pod slots of a node. */
interface NodeCapacity {
  readonly free: readonly [cpu: number, memory: number, pods: number];
  readonly allocatable: Resources;
}

/** A pool's free amount of a resource, and the capacity that a percentage refers to. */
export interface Measure {
  readonly free: number;
  readonly of: number;
}

/** Free capacity of a pool's nodes after all moves so far. What virtual pods of CapacityBuffers take counts as free. */
export function measureHeadroom(need: Headroom, nodes: readonly NodeCapacity[], podsInPool: number): Measure {
  let free = 0;
  let of = need.resource === 'pods' ? podsInPool : 0;
  for (const node of nodes) {
    free += freeOf(need, node);
    if (need.resource !== 'pods') of += amountOf(node.allocatable, need.resource) ?? 0;
  }
  return { free, of };
}

function freeOf({ resource, shape }: Headroom, { free: [cpu, memory, pods] }: NodeCapacity): number {
  if (resource === 'cpu') return Math.max(0, cpu);
  if (resource === 'memory') return Math.max(0, memory);
  const slots = (free: number, each: number) => (each > 0 ? Math.floor(free / each) : Infinity);
  return Math.max(0, Math.min(pods, slots(cpu, shape?.cpu ?? 0), slots(memory, shape?.memory ?? 0)));
}

/** Float noise of a percentage. */
const NOISE = 1e-12;

/** A pool that had less before may not lose more. */
export function headroom(
  nodePool: string,
  need: Headroom,
  before: Measure,
  after: Measure,
): (MoveRefusal & { readonly code: 'headroom' }) | undefined {
  const { resource, amount, isPercent } = need;
  const required = isPercent ? (amount / 100) * after.of : amount;
  if (after.free >= required * (1 - NOISE) || after.free >= before.free) return undefined;
  if (isPercent && after.free * before.of >= before.free * after.of) return undefined;
  return { code: 'headroom', nodePool, resource, free: after.free, required, of: isPercent ? after.of : null };
}

/** For a running node; `given back`: what virtual pods use of it. */
export function capacityOfRow(
  { free, rows }: CompiledCluster,
  row: number,
  givenBack: Float64Array | undefined,
): NodeCapacity {
  const back = (d: number) => free[d][row] + (givenBack?.[d] ?? 0);
  return { free: [back(CPU), back(MEMORY), back(PODS)], allocatable: rows[row].allocatable };
}

/** For a new node: the type that leaves least. */
export function capacityOfClaim(cluster: CompiledCluster, claim: Claim, need: Headroom): NodeCapacity {
  const { types, templates } = cluster;
  const { daemons } = templates[claim.template];
  let least: NodeCapacity | undefined;
  let leastFree = Infinity;
  for (const type of members(claim.types)) {
    const { allocatable } = types.list[type];
    const overhead = daemons.find((group) => hasBit(group.types, type))?.overhead;
    const left = (name: string, d: number) =>
      (amountOf(allocatable, name) ?? 0) - (overhead?.[d] ?? 0) - (claim.requests[d] ?? 0);
    const node: NodeCapacity = { free: [left('cpu', CPU), left('memory', MEMORY), left('pods', PODS)], allocatable };
    const { free, of } = measureHeadroom(need, [node], 0);
    const worth = need.isPercent ? free - (need.amount / 100) * of : free;
    if (worth >= leastFree) continue;
    least = node;
    leastFree = worth;
  }
  return least ?? { free: [0, 0, 0], allocatable: {} };
}
