import type { App } from './apps.ts';
import type { CatalogType } from './catalog-type.ts';
import type { Pool } from './node-pools.ts';
import { type CapacityType, type ClusterParameters, NOW_MS } from './parameters.ts';
import type { Random } from './random.ts';

const HOUR_MS = 3600 * 1000;
const OLDEST_MS = 30 * 24 * HOUR_MS;
/** Frequencies of sizes among nodes. */
const SIZES = ['large', 'xlarge', 'xlarge', 'xlarge', '2xlarge', '2xlarge', '4xlarge'];
/** Of nodes in tight clusters of mixed constraints: they carry a label that no NodePool gives any more. */
const SHARE_LEGACY = 0.1;

/** A node while pods are put on it. */
export interface GeneratedNode {
  readonly name: string;
  /** Without the prefix. */
  readonly number: string;
  readonly pool: Pool;
  readonly type: CatalogType;
  readonly zone: string;
  readonly capacityType: CapacityType;
  readonly createdMs: number;
  readonly legacy: boolean;
  /** Share of the cpu that `normal` clusters fill. */
  readonly targetUtilization: number;
  /** Left of what is allocatable. */
  freeCpu: number;
  freeMemory: number;
  freePods: number;
  /** cpu that was free when DaemonSets had theirs. */
  cpuForApps: number;
  readonly podsOfApp: Map<App, number>;
}

export function makeNodes(
  p: ClusterParameters,
  pools: readonly Pool[],
  zones: readonly string[],
  random: Random,
): GeneratedNode[] {
  const ofSize = new Map(pools.map((pool) => [pool, SIZES.map((size) => pool.types.filter((t) => t.size === size))]));
  return Array.from({ length: p.nodes }, (_, i) => {
    const pool = choosePool(pools, i, random);
    const type = random.pick(random.pick(ofSize.get(pool) ?? []));
    const number = String(i + 1).padStart(4, '0');
    return {
      name: `node-${number}`,
      number,
      pool,
      type,
      zone: random.pick(zones),
      capacityType: chooseCapacityType(pool, random),
      createdMs: NOW_MS - HOUR_MS - random.fraction() * 0.95 * (Math.min(pool.lifeMs, OLDEST_MS) - HOUR_MS),
      legacy: p.mode === 'mixed' && p.variant === 'tight' && random.chance(SHARE_LEGACY),
      targetUtilization: chooseUtilization(random),
      freeCpu: type.cpuMilli,
      freeMemory: type.memoryBytes,
      freePods: type.pods,
      cpuForApps: type.cpuMilli,
      podsOfApp: new Map(),
    };
  });
}

/** The first nodes go round the pools, so that small clusters have some of each. */
function choosePool(pools: readonly Pool[], index: number, random: Random): Pool {
  if (index < 2 * pools.length) return pools[index % pools.length];
  let x = random.fraction();
  for (const pool of pools) {
    if (x < pool.share) return pool;
    x -= pool.share;
  }
  return pools[pools.length - 1];
}

/** Where both are allowed, seven nodes in ten are spot. */
function chooseCapacityType({ capacityTypes }: Pool, random: Random): CapacityType {
  return capacityTypes.length === 2 && random.chance(0.4) ? 'spot' : random.pick(capacityTypes);
}

/** Some empty, a fifth hardly used, half in the middle, a quarter nearly full. */
function chooseUtilization(random: Random): number {
  const x = random.fraction();
  if (x < 0.03) return 0;
  if (x < 0.25) return random.between(0.1, 0.35);
  return x < 0.75 ? random.between(0.4, 0.75) : random.between(0.75, 1);
}
