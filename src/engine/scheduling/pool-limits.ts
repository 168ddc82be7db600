import { type Bitset, members, removeBit } from '../cluster/bitset.ts';
import { amountOf } from '../cluster/objects.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { NODE_POOL } from '../cluster/well-known.ts';
import type { InstanceTypes } from './instance-types.ts';
import type { Template } from './templates.ts';

const NODES = 'nodes';

/** What NodePools may still launch under spec.limits: the limit minus their nodes. */
export class PoolLimits {
  /** By template: remaining amounts by resource; undefined without limits. */
  private readonly left: (Record<string, number> | undefined)[];
  private readonly templateOfPool = new Map<string, number>();
  private readonly types: InstanceTypes;
  private readonly compat: boolean;

  constructor(templates: readonly Template[], types: InstanceTypes, rows: readonly StateNode[], compat: boolean) {
    this.types = types;
    this.compat = compat;
    this.left = templates.map(({ pool }) => (Object.keys(pool.limits).length === 0 ? undefined : { ...pool.limits }));
    templates.forEach(({ pool }, t) => {
      this.templateOfPool.set(pool.name, t);
    });
    for (const row of rows) if (row.tracked && !row.deleting) this.charge(row, 1);
  }

  /** Adds the node to its pool's usage (+1) or removes it (-1). */
  charge(node: StateNode, sign: 1 | -1): void {
    const left = this.left[this.templateOfPool.get(node.labels[NODE_POOL] ?? '') ?? -1];
    if (left === undefined) return;
    for (const name in left) left[name] -= sign * (name === NODES ? 1 : (amountOf(node.capacity, name) ?? 0));
  }

  /** Types of the pool that may still be launched; undefined if none. */
  launchable(template: number, types: Bitset): Bitset | undefined {
    const left = this.left[template];
    if (left === undefined) return types;
    if (left[NODES] === 0) return undefined;
    let kept = types;
    for (const type of members(types)) {
      const { capacity } = this.types.list[type];
      for (const name in left) {
        if ((amountOf(capacity, name) ?? 0) <= left[name]) continue;
        if (kept === types) kept = types.slice();
        removeBit(kept, type);
        break;
      }
    }
    return kept.some((word) => word !== 0) ? kept : undefined;
  }

  /** Charges a new claim, which may become the largest of its types. Returns what to return on rollback. */
  open(template: number, types: Bitset): Readonly<Record<string, number>> | undefined {
    const left = this.left[template];
    if (left === undefined) return undefined;
    const taken: Record<string, number> = {};
    for (const name in left) {
      let largest = 0;
      // Karpenter does not count nodes that it is about to launch.
      if (name === NODES) largest = this.compat ? 0 : 1;
      else
        for (const type of members(types))
          largest = Math.max(largest, amountOf(this.types.list[type].capacity, name) ?? 0);
      taken[name] = largest;
      left[name] -= largest;
    }
    return taken;
  }

  close(template: number, taken: Readonly<Record<string, number>> | undefined): void {
    const left = this.left[template];
    if (left === undefined || taken === undefined) return;
    for (const name in taken) left[name] += taken[name];
  }
}
