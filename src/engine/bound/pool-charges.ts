import { amountOf } from '../cluster/objects.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Template } from '../scheduling/templates.ts';

/** What a new node takes of limits of its pool: index of the limit and amount. */
export type Charges = readonly (readonly [limit: number, amount: number])[];

const NODES = 'nodes';
const NONE: Charges = [];

/**
 * Limits of NodePools. A node is launched only if the pool is then within its limit, and pools only shrink otherwise: so all nodes
 * that a plan launches in a pool are together within what the pool's nodes that stay leave.
 */
export class PoolCharges {
  /** By limit: what new nodes may have in all. */
  readonly left: number[] = [];
  private readonly cluster: CompiledCluster;
  private readonly ofTemplate = new Map<Template, readonly { readonly name: string; readonly limit: number }[]>();

  constructor(cluster: CompiledCluster, removable: readonly number[]) {
    this.cluster = cluster;
    const going = new Set(removable);
    for (const template of cluster.templates) {
      const { pool } = template;
      // Karpenter does not count nodes that it is about to launch.
      const names = Object.keys(pool.limits).filter((name) => name !== NODES || !cluster.settings.compat);
      const limits = names.map((name) => {
        let left = amountOf(pool.limits, name) ?? 0;
        cluster.rows.forEach(({ labels, tracked, deleting, capacity }, row) => {
          if (labels[NODE_POOL] !== pool.name || !tracked || deleting || going.has(row)) return;
          left -= name === NODES ? 1 : (amountOf(capacity, name) ?? 0);
        });
        return { name, limit: this.left.push(Math.max(0, left)) - 1 };
      });
      this.ofTemplate.set(template, limits);
    }
  }

  of(template: number, type: number): Charges {
    const { templates, types } = this.cluster;
    const limits = this.ofTemplate.get(templates[template]) ?? [];
    if (limits.length === 0) return NONE;
    const { capacity } = types.list[type];
    return limits.map(({ name, limit }) => [limit, name === NODES ? 1 : (amountOf(capacity, name) ?? 0)] as const);
  }
}
