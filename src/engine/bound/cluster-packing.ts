import { hasBit } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { labelOf } from '../cluster/objects.ts';
import { ZONE } from '../cluster/well-known.ts';
import { nodePrice } from '../disruption/node-price.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { groupHosts, groupLaunches, type Host, withoutServed } from './host-groups.ts';
import { HostLimits } from './host-limits.ts';
import type { PossibleLaunch } from './launches.ts';
import { type MovingPods, movingPods, withoutClasses } from './moving-pods.ts';
import { fitsInto, type HostGroup, type Packing } from './packing.ts';
import type { PlanScope } from './plan-scope.ts';
import { PoolCharges } from './pool-charges.ts';
import type { Reach } from './reach.ts';
import { ZoneLimits } from './zone-limits.ts';

/** Launches at less than this, in dollars per hour, count as free. */
const NEXT_TO_NOTHING = 1e-5;

/**
 * The cluster as a packing. Pods of removable rows must be placed. Hosts are:
 * - rows that stay, at no price (which is paid anyway), with their free capacity;
 * - removable rows, at their price, with the capacity of their own pods and their free capacity;
 * - everything that can be launched, any number of times.
 * Pending pods and pods of nodes being deleted would only use capacity; they are left out.
 *
 * Hosts of another zone do not stand in for those of this one.
 */
export function clusterPacking(cluster: CompiledCluster, { removable, launches, reaches }: PlanScope): Packing {
  const zones = new ZoneLimits(cluster, removable, reaches);
  const hosts = new HostLimits(cluster, removable, reaches);
  const pools = new PoolCharges(cluster, removable);
  const offered = launches.map((launch) => ({
    ...launch,
    capacity: hosts.offered(launch.capacity),
    zone: zones.list.length > 0 ? launch.zone : '',
    charges: pools.of(launch.template, launch.type),
  }));
  const moving = withoutFreeRiders(movingPods(cluster, removable, reaches, { zones, hosts }), offered, reaches.list);
  const existing = existingHosts(cluster, moving, reaches.list).map((host, row) => ({
    ...host,
    capacity: hosts.offered(host.capacity, row),
    zone: zones.list.length > 0 ? (labelOf(cluster.rows[row].selectable, ZONE) ?? '') : '',
  }));
  return {
    classes: moving.classes,
    hosts: grouped(existing, launchedHosts(offered, moving, reaches.list), moving),
    limits: zones.list,
    poolsLeft: pools.left,
  };
}

function grouped(existing: readonly Host[], launched: readonly Host[], { classes }: MovingPods): HostGroup[] {
  const endless = groupLaunches(
    launched.filter(({ count }) => count === Infinity),
    classes,
  );
  const limited = groupHosts([...existing, ...launched.filter(({ count }) => count < Infinity)], classes);
  return [...withoutServed(limited, endless, classes.length), ...endless];
}

/** Leaves out pods that fit on a free node of unlimited number: they cost nothing. All remaining prices are above 0. */
function withoutFreeRiders(
  moving: MovingPods,
  launches: readonly PossibleLaunch[],
  reaches: readonly Reach[],
): MovingPods {
  const free = launches.flatMap((launch, i) => (isFree(launch) ? [i] : []));
  if (free.length === 0) return moving;
  return withoutClasses(moving, ({ amounts, reach }) =>
    free.some((i) => hasBit(reaches[reach].launches, i) && fitsInto(amounts, launches[i].capacity)),
  );
}

function isFree({ price, count, charges }: PossibleLaunch): boolean {
  return price < NEXT_TO_NOTHING && count === Infinity && charges.length === 0;
}

function existingHosts(cluster: CompiledCluster, moving: MovingPods, reaches: readonly Reach[]): Host[] {
  const open = new ClassSets(moving);
  return cluster.rows.map((_, row) => {
    const own = moving.ofRow.get(row);
    // A pod may stay on its node even if it could not be scheduled there today.
    const classes = open.of((reach) => hasBit(reaches[reach].rows, row), own);
    const price = own === undefined ? 0 : nodePrice(cluster, row);
    return { price, count: 1, capacity: capacityOf(cluster, row, own !== undefined), zone: '', charges: [], classes };
  });
}

/** Free capacity of the row and, if its pods may move, what they use: an unchanged row needs exactly that. */
function capacityOf(cluster: CompiledCluster, row: number, mayMove: boolean): Float64Array {
  const { free, destinations, movableOfRow, requests, requestOfPod } = cluster;
  const takesMore = hasBit(destinations, row);
  const capacity = Float64Array.from(free, (column) => (takesMore ? Math.max(0, column[row]) : 0));
  if (!mayMove) return capacity;
  for (const pod of movableOfRow[row]) {
    const amounts = requests.amounts(requestOfPod[pod]);
    for (let d = 0; d < capacity.length; d++) capacity[d] += amounts[d];
  }
  return capacity;
}

/** One host for all unlimited offerings with the same capacity for the same classes, and in the same zone if that matters: the cheapest. */
function launchedHosts(launches: readonly PossibleLaunch[], moving: MovingPods, reaches: readonly Reach[]): Host[] {
  const open = new ClassSets(moving);
  const cheapest = new Map<readonly number[], Map<string, Host>>();
  const limited: Host[] = [];
  launches.forEach((launch, i) => {
    const { price, capacity, count, zone, charges } = launch;
    // No remaining class fits on a free host.
    if (price === Infinity || isFree(launch)) return;
    const classes = open.of((reach) => hasBit(reaches[reach].launches, i));
    if (count < Infinity) {
      limited.push({ price, count, capacity, zone, charges, classes });
      return;
    }
    const byCapacity = cheapest.get(classes) ?? new Map<string, Host>();
    cheapest.set(classes, byCapacity);
    const key = `${zone};${charges.join(';')};${capacity.join()}`;
    const known = byCapacity.get(key);
    if (known === undefined || price < known.price)
      byCapacity.set(key, { price, count, capacity, zone, charges, classes });
  });
  return [...limited, ...[...cheapest.values()].flatMap((byCapacity) => [...byCapacity.values()])];
}

class ClassSets {
  private readonly moving: MovingPods;
  private readonly reaches: readonly number[];
  private readonly byText = new Map<string, readonly number[]>();

  constructor(moving: MovingPods) {
    this.moving = moving;
    this.reaches = [...new Set(moving.classes.map((c) => c.reach))];
  }

  /** The classes whose reach is included, and `more`. */
  of(includes: (reach: number) => boolean, more: ReadonlySet<number> = NONE): readonly number[] {
    const included = new Set(this.reaches.filter(includes));
    const extra = [...more].filter((c) => !included.has(this.moving.classes[c].reach)).sort((a, b) => a - b);
    const text = `${[...included].join()};${extra.join()}`;
    return getOrInsert(this.byText, text, () =>
      this.moving.classes.flatMap(({ reach }, c) => (included.has(reach) || extra.includes(c) ? [c] : [])),
    );
  }
}

const NONE: ReadonlySet<number> = new Set();
