import type { PodObject, Resources } from '../cluster/objects.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { nodePrice } from './node-price.ts';

/** Cents per hour that a pod costs: its share of a node's price, by the resource with the largest share. */
export function podCents({ requests }: PodObject, price: number, allocatable: Resources): number {
  const share = (name: string) => Math.min(1, (requests[name] ?? 0) / (allocatable[name] || Infinity));
  return 100 * price * Math.max(share('cpu'), share('memory'));
}

/**
 * Cents per hour that the average pod of each NodePool costs, DaemonSets aside. Capacity that nobody uses is not part of it:
 * otherwise evictions would cost most where most can be saved.
 */
export function averagePodCents(cluster: CompiledCluster): ReadonlyMap<string, number> {
  const sums = new Map<string, { cents: number; pods: number }>();
  cluster.rows.forEach(({ labels, node, tracked }, row) => {
    const pool = labels[NODE_POOL];
    if (!tracked || node === undefined || pool === undefined) return;
    const sum = sums.get(pool) ?? { cents: 0, pods: 0 };
    const price = nodePrice(cluster, row);
    for (const i of cluster.movableOfRow[row]) {
      sum.cents += podCents(cluster.pods[i], price, node.allocatable);
      sum.pods++;
    }
    sums.set(pool, sum);
  });
  return new Map([...sums].map(([pool, { cents, pods }]) => [pool, pods === 0 ? 0 : cents / pods]));
}
