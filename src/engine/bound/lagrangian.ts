import type { HostGroup, Packing } from './packing.ts';

/** Relative rounding error of sums of many thousand numbers. */
const ROUNDING = 1e-12;

/** Largest factor for values near zero, to avoid overflow. */
const LARGEST_SCALE = 1e100;

/** A bound and the values that prove it. */
export interface ValuedBound {
  /** Dollars per hour. */
  readonly bound: number;
  /** By class: what one pod is worth. */
  readonly values: Float64Array;
  /** By host group: no pattern is worth more. */
  readonly mostPerHost: Float64Array;
}

/**
 * What every packing costs at least, given a value per pod and, per host group, no less than the greatest value
 * that fits on one of its hosts.
 *
 * Weak duality: say a pod of class c is worth π(c) ≥ 0. A packing P that places all pods holds Σ π(c)·pods(c) = D in
 * value, and each host h that it uses holds at most V(h). Hence
 *   price(P) = Σ price(h) = D + Σ (price(h) − value on h) ≥ D + Σ over used h of (price(h) − V(h)).
 * Hosts of a group come at most `count` times, so the group's part is at least count · min(0, price − V). Where
 * there is no end of hosts the part is only bounded if V ≤ price; values are lowered until it is.
 *
 * The bound is right for any π and any V that is large enough. Where they come from does not matter.
 */
export function lagrangianBound(packing: Packing, values: Float64Array, mostPerHost: Float64Array): ValuedBound {
  const evenly = scaled(packing, values, mostPerHost);
  if (!packing.hosts.some(({ price, count }, h) => count === Infinity && mostPerHost[h] > price)) return evenly;
  const [lower, most] = loweredByClass(packing, values, mostPerHost);
  const apart = scaled(packing, lower, most);
  return apart.bound > evenly.bound ? apart : evenly;
}

/**
 * Lowers each class as far as the worst unlimited host that takes it requires: θ(c) = min(1, price(h) / V(h)) over
 * these h. A pattern on h is then worth at most (greatest θ(c) on h) · V(h), and at most price(h) if h is unlimited.
 */
function loweredByClass(
  { hosts, classes }: Packing,
  values: Float64Array,
  most: Float64Array,
): [Float64Array, Float64Array] {
  const factors = new Float64Array(classes.length).fill(1);
  hosts.forEach(({ price, count, classes: here }, h) => {
    if (count < Infinity || most[h] <= price) return;
    for (const c of here) factors[c] = Math.min(factors[c], price / most[h]);
  });
  return [
    values.map((v, c) => v * factors[c]),
    most.map((m, h) => m * hosts[h].classes.reduce((greatest, c) => Math.max(greatest, factors[c]), 0)),
  ];
}

/** All values times the best θ ≥ 0 among those that keep θ·V ≤ price for all unlimited groups (Farley). */
function scaled(packing: Packing, values: Float64Array, mostPerHost: Float64Array): ValuedBound {
  const { hosts, classes } = packing;
  let total = 0;
  for (let c = 0; c < classes.length; c++) total += classes[c].pods * values[c];
  let largest = Infinity;
  const turns: { readonly at: number; readonly slope: number }[] = [];
  for (let h = 0; h < hosts.length; h++) {
    const most = mostPerHost[h];
    const at = hosts[h].price / most;
    // Worth nothing, or too little for any allowed θ to reach the price.
    if (most <= 0 || at > LARGEST_SCALE) continue;
    if (hosts[h].count === Infinity) largest = Math.min(largest, at);
    else turns.push({ at, slope: hosts[h].count * most });
  }
  turns.sort((a, b) => a.at - b.at);
  // θ ↦ bound is concave: its slope is D, less count·V for every group whose price θ·V has passed.
  let slope = total;
  let scale = 0;
  for (const turn of turns) {
    if (turn.at >= largest || slope <= 0) break;
    scale = turn.at;
    slope -= turn.slope;
  }
  // A slope above 0 without end means that not all pods have a place; θ stays as it is.
  if (slope > 0 && largest < Infinity) scale = largest * (1 - ROUNDING);
  return {
    bound: boundAt(hosts, total, mostPerHost, scale),
    values: values.map((v) => v * scale),
    mostPerHost: mostPerHost.map((m) => m * scale),
  };
}

function boundAt(hosts: readonly HostGroup[], total: number, mostPerHost: Float64Array, scale: number): number {
  const held = scale * total;
  let excess = 0;
  for (let h = 0; h < hosts.length; h++) {
    if (hosts[h].count === Infinity) continue;
    excess += hosts[h].count * Math.max(0, scale * mostPerHost[h] - hosts[h].price);
  }
  return Math.max(0, held - excess - ROUNDING * (held + excess));
}
