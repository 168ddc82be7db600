import type { LinearProgram, LpSolver } from './linear-program.ts';
import type { HostGroup, Packing } from './packing.ts';
import type { ZoneLimit } from './zone-limits.ts';

/** Hosts of one zone that the same pods may use. */
interface Place {
  readonly zone: string;
  readonly hosts: number[];
  /** Classes that fit on one of them. */
  readonly classes: Set<number>;
}

/** Covers rounding in sums of many thousand terms. */
const ROUNDING = 1e-11;

/**
 * The bound from sums of resources, with prices of their own in every place. 0 if the solver fails.
 *
 * Say a unit of resource d costs u(p, d) ≥ 0 in place p, so that no host of unlimited number takes in more than its price when it
 * is full. A pod pays for its requests where it runs. A used host takes in at most its price, or, if there are `count` of it,
 * at most count · (capacity · u − price) more in all. So every packing costs what its pods pay less those excesses, and pods
 * pay at least what the cheapest allowed distribution over zones costs. A unit of a pool's limit may have a price as well, on top
 * of the nodes that use it: that is at most the price of the whole limit, which is taken off again.
 * This holds for any prices; the solver looks for good ones.
 */
export function placePriceBound(packing: Packing, solver: LpSolver): number {
  if (packing.classes.length === 0) return 0;
  const places = placesOf(packing);
  const bundles = bundlesOf(packing, places);
  const duals = solver.solve(placeProgram(packing, places, bundles));
  if (duals === undefined) return 0;
  const total = wantedInAll(packing);
  const width = total.length;
  const onTop = surcharges(packing, duals.subarray(rowOfPools(places, bundles, width)));
  const unitPrices = places.map((place, p) => {
    const prices = total.map((amount, d) =>
      amount > 0 ? Math.max(0, duals[bundles.length + p * width + d]) / amount : 0,
    );
    let scale = 1;
    for (const h of place.hosts) {
      const { count, capacity } = packing.hosts[h];
      const price = onTop.priceOf(packing.hosts[h]);
      const full = dot(prices, capacity);
      if (count === Infinity && full > price) scale = Math.min(scale, price / full);
    }
    return prices.map((price) => price * scale);
  });
  return provenBy(packing, places, unitPrices, onTop);
}

function provenBy(
  { classes, hosts, limits }: Packing,
  places: readonly Place[],
  unitPrices: readonly Float64Array[],
  onTop: Surcharges,
): number {
  let paid = 0;
  const openTo = placesByClass(classes.length, places);
  classes.forEach(({ amounts, pods, limit }, c) => {
    const byZone = new Map<string, number>();
    for (const p of openTo[c]) {
      const { zone } = places[p];
      byZone.set(zone, Math.min(byZone.get(zone) ?? Infinity, dot(unitPrices[p], amounts)));
    }
    paid += leastFor(pods, byZone, limits[limit]);
  });
  let excess = onTop.ofWholeLimits;
  places.forEach((place, p) => {
    for (const h of place.hosts) {
      const { count, capacity } = hosts[h];
      if (count < Infinity) excess += count * Math.max(0, dot(unitPrices[p], capacity) - onTop.priceOf(hosts[h]));
    }
  });
  return Math.max(0, paid - excess - ROUNDING * (paid + excess));
}

/** Prices of what new nodes take of limits of pools. */
interface Surcharges {
  /** Of the host with them. */
  priceOf(host: HostGroup): number;
  readonly ofWholeLimits: number;
}

/** `duals`: of the limits' rows. */
function surcharges({ poolsLeft, hosts }: Packing, duals: Float64Array): Surcharges {
  const unit = scalesOfPools(poolsLeft, hosts).map((scale, limit) => Math.max(0, -duals[limit]) / scale);
  return {
    priceOf: ({ price, charges }) => charges.reduce((sum, [limit, amount]) => sum + unit[limit] * amount, price),
    ofWholeLimits: poolsLeft.reduce((sum, left, limit) => sum + unit[limit] * left, 0),
  };
}

/** By limit: the unit of its row, because bytes and millicores differ by nine orders of magnitude. */
function scalesOfPools(poolsLeft: readonly number[], hosts: readonly HostGroup[]): readonly number[] {
  const scales = poolsLeft.map((left) => Math.max(1, left));
  for (const { charges } of hosts)
    for (const [limit, amount] of charges) scales[limit] = Math.max(scales[limit], amount);
  return scales;
}

function rowOfPools(places: readonly Place[], bundles: readonly Bundle[], width: number): number {
  return bundles.length + places.length * width;
}

/** The cheapest zones first, each as far as its limit allows. */
function leastFor(pods: number, byZone: ReadonlyMap<string, number>, limit: ZoneLimit | undefined): number {
  const zones = [...byZone].sort((a, b) => a[1] - b[1]);
  if (zones.length === 0) return 0;
  let left = pods;
  let paid = 0;
  for (const [zone, price] of zones) {
    const here = Math.min(left, limit?.most.get(zone) ?? Infinity);
    paid += here * price;
    left -= here;
  }
  return paid + left * zones[0][1];
}

function placesOf({ classes, hosts }: Packing): Place[] {
  const places = new Map<string, Place>();
  hosts.forEach(({ zone, classes: here }, h) => {
    const reaches = [...new Set(here.map((c) => classes[c].reach))].sort((a, b) => a - b);
    const key = `${reaches.join()};${zone}`;
    const place = places.get(key) ?? { zone, hosts: [], classes: new Set() };
    places.set(key, place);
    place.hosts.push(h);
    for (const c of here) place.classes.add(c);
  });
  return [...places.values()];
}

function placesByClass(classes: number, places: readonly Place[]): readonly number[][] {
  const openTo: number[][] = Array.from({ length: classes }, () => []);
  places.forEach((place, p) => {
    for (const c of place.classes) openTo[c].push(p);
  });
  return openTo;
}

/** Classes with the same places and about the same proportions of resources, as one. */
interface Bundle {
  readonly places: readonly number[];
  readonly amounts: Float64Array;
  /** By zone: the share of it that limits allow there. */
  readonly most: Map<string, number>;
  weight: number;
  pods: number;
}

/** Steps per doubling of the proportion, finest first, by which bundles are told apart. */
const STEPS = [4, 2, 1, 0.5, 0];
/** Bundles times places. */
const LARGEST = 12_000;

function bundlesOf(packing: Packing, places: readonly Place[]): readonly Bundle[] {
  let bundles: readonly Bundle[] = [];
  for (const steps of STEPS) {
    bundles = bundledBy(packing, places, steps);
    if (bundles.length * places.length <= LARGEST) break;
  }
  return bundles;
}

function bundledBy(packing: Packing, places: readonly Place[], steps: number): readonly Bundle[] {
  const { classes, limits } = packing;
  const total = wantedInAll(packing);
  const openTo = placesByClass(classes.length, places);
  const bundles = new Map<string, Bundle>();
  classes.forEach(({ amounts, pods, limit }, c) => {
    if (openTo[c].length === 0) return;
    const shares = amounts.map((amount, d) => (total[d] > 0 ? (pods * amount) / total[d] : 0));
    const [a, b] = [shares[0] + Number.MIN_VALUE, shares[1] + Number.MIN_VALUE];
    const proportion = Math.max(-8, Math.min(8, Math.log2(a / b)));
    const most = limits[limit]?.most;
    const last = shares.findLastIndex((share) => share > 0);
    const key = `${openTo[c].join()};${Math.round(proportion * steps)};${most !== undefined && most.size > 0};${last}`;
    const bundle = bundles.get(key) ?? {
      places: openTo[c],
      amounts: new Float64Array(amounts.length),
      most: new Map(),
      weight: 0,
      pods: 0,
    };
    bundles.set(key, bundle);
    for (let d = 0; d < amounts.length; d++) bundle.amounts[d] += pods * amounts[d];
    const weight = a + b;
    bundle.weight += weight;
    bundle.pods += pods;
    for (const [zone, n] of most ?? [])
      bundle.most.set(zone, (bundle.most.get(zone) ?? 0) + weight * Math.min(1, n / pods));
  });
  return [...bundles.values()];
}

/** The cheapest fractional hosts for fractions of bundles. Its first rows are bundles, then resources of each place, then limits of pools. */
function placeProgram(packing: Packing, places: readonly Place[], bundles: readonly Bundle[]): LinearProgram {
  const total = wantedInAll(packing);
  const rows: { atLeast: number; atMost: number }[] = bundles.map(() => ({ atLeast: 1, atMost: Infinity }));
  const resources = Array.from(total.keys()).filter((d) => total[d] > 0);
  const rowOf = (place: number, d: number) => bundles.length + place * total.length + d;
  for (let i = 0; i < places.length * total.length; i++) rows.push({ atLeast: 0, atMost: Infinity });
  const scales = scalesOfPools(packing.poolsLeft, packing.hosts);
  packing.poolsLeft.forEach((left, limit) => {
    rows.push({ atLeast: -Infinity, atMost: left / scales[limit] });
  });
  const firstPool = rowOfPools(places, bundles, total.length);
  const columns = places.flatMap(({ hosts }, p) =>
    hosts.map((h) => {
      const { price, count, capacity, charges } = packing.hosts[h];
      const column = {
        cost: price,
        rows: resources.map((d) => rowOf(p, d)),
        values: resources.map((d) => capacity[d] / total[d]),
      };
      for (const [limit, amount] of charges) {
        column.rows.push(firstPool + limit);
        column.values.push(amount / scales[limit]);
      }
      if (count === Infinity) return column;
      column.rows.push(rows.push({ atLeast: -Infinity, atMost: count }) - 1);
      column.values.push(1);
      return column;
    }),
  );
  const highestPrice = packing.hosts.reduce((most, { price }) => Math.max(most, price), 0);
  bundles.forEach((bundle, b) => {
    // Limits of several classes together may leave no solution: what has no host costs a lot.
    columns.push({ cost: 1 + highestPrice * bundle.pods, rows: [b], values: [1] });
    const rowOfZone = new Map<string, number>();
    for (const [zone, most] of bundle.most)
      rowOfZone.set(zone, rows.push({ atLeast: -Infinity, atMost: most / bundle.weight }) - 1);
    for (const p of bundle.places) {
      const column = {
        cost: 0,
        rows: [b, ...resources.map((d) => rowOf(p, d))],
        values: [1, ...resources.map((d) => -bundle.amounts[d] / total[d])],
      };
      const limit = rowOfZone.get(places[p].zone);
      if (limit !== undefined) {
        column.rows.push(limit);
        column.values.push(1);
      }
      columns.push(column);
    }
  });
  return { rows, columns };
}

function wantedInAll({ classes }: Packing): Float64Array {
  const wanted = new Float64Array(classes[0].amounts.length);
  for (const { amounts, pods } of classes) for (let d = 0; d < wanted.length; d++) wanted[d] += pods * amounts[d];
  return wanted;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d] * b[d];
  return sum;
}
