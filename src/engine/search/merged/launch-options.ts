import { hasBit, members } from '../../cluster/bitset.ts';
import type { NodePoolObject } from '../../cluster/objects.ts';
import { CPU, MEMORY, PODS } from '../../cluster/request-table.ts';
import type { CompiledCluster } from '../../scheduling/compiled-cluster.ts';

/** A type of node that a pool can launch: what it holds beside DaemonSet pods, and its highest price. */
export interface LaunchOption {
  readonly cpu: number;
  readonly memory: number;
  readonly pods: number;
  /** Cents per hour. */
  readonly cents: number;
}

/** The launch options of each pool, computed once. */
export class LaunchOptions {
  private readonly cluster: CompiledCluster;
  private readonly known = new Map<NodePoolObject, readonly LaunchOption[]>();

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
  }

  of(pool: NodePoolObject): readonly LaunchOption[] {
    let options = this.known.get(pool);
    if (options === undefined) {
      const template = this.cluster.templates.findIndex((t) => t.pool === pool);
      options = template < 0 ? [] : optionsOf(this.cluster, template);
      this.known.set(pool, options);
    }
    return options;
  }
}

/** Of all types of the pool, those that no other one beats in price and capacity; cheapest first. */
function optionsOf(cluster: CompiledCluster, template: number): LaunchOption[] {
  const { types, templates } = cluster;
  const { requirements, types: allowed, daemons } = templates[template];
  const { worst } = types.prices(requirements);
  const launchable = types.launchable(requirements);
  const all: LaunchOption[] = [];
  for (const { types: group, overhead } of daemons) {
    for (const type of members(group)) {
      if (!hasBit(allowed, type) || !hasBit(launchable, type) || worst[type] === Infinity) continue;
      const { cpu = 0, memory = 0, pods = 0 } = types.list[type].allocatable;
      all.push({
        cpu: cpu - overhead[CPU],
        memory: memory - overhead[MEMORY],
        pods: pods - overhead[PODS],
        cents: worst[type] * 100,
      });
    }
  }
  all.sort((a, b) => a.cents - b.cents || b.cpu - a.cpu || b.memory - a.memory);
  const kept: LaunchOption[] = [];
  for (const v of all) {
    if (!kept.some((k) => k.cpu >= v.cpu && k.memory >= v.memory && k.pods >= v.pods)) kept.push(v);
  }
  return kept;
}
