import { lagrangianBound, type ValuedBound } from './lagrangian.ts';
import type { LinearProgram, LpSolver } from './linear-program.ts';
import type { Packing } from './packing.ts';

/**
 * The bound from sums of resources: a price per unit of each resource, a pod worth its requests, a host worth at most
 * its capacity. Uses the best single resource, or with a solver the best combination.
 */
export function resourceBound(packing: Packing, solver: LpSolver): ValuedBound {
  const wanted = wantedInAll(packing);
  let best = worthless(packing);
  for (const unitPrices of [...eachAlone(packing, wanted.length), ...bestMix(packing, wanted, solver)]) {
    const values = Float64Array.from(packing.classes, ({ amounts }) => dot(unitPrices, amounts));
    const mostPerHost = Float64Array.from(packing.hosts, ({ capacity }) => dot(unitPrices, capacity));
    const proven = lagrangianBound(packing, values, mostPerHost);
    if (proven.bound > best.bound) best = proven;
  }
  return best;
}

function worthless({ classes, hosts }: Packing): ValuedBound {
  return { bound: 0, values: new Float64Array(classes.length), mostPerHost: new Float64Array(hosts.length) };
}

export function wantedInAll({ classes }: Pick<Packing, 'classes'>): Float64Array {
  const wanted = new Float64Array(classes[0]?.amounts.length ?? 0);
  for (const { amounts, pods } of classes) for (let d = 0; d < wanted.length; d++) wanted[d] += pods * amounts[d];
  return wanted;
}

/**
 * One vector per resource with a price on it alone: the highest unit price of any host, which the bound scales down.
 */
function eachAlone({ hosts }: Packing, width: number): Float64Array[] {
  return Array.from({ length: width }, (_, d) => {
    const unitPrices = new Float64Array(width);
    for (const { price, capacity } of hosts)
      if (capacity[d] > 0) unitPrices[d] = Math.max(unitPrices[d], price / capacity[d]);
    return unitPrices;
  });
}

function bestMix(packing: Packing, wanted: Float64Array, solver: LpSolver): Float64Array[] {
  const solution = solver.solve(resourceProgram(packing, wanted));
  if (!solution.solved) return [];
  return [wanted.map((amount, d) => (amount > 0 ? Math.max(0, solution.duals[d]) / amount : 0))];
}

/** The cheapest fractional number of hosts of each group whose total covers all requests. */
function resourceProgram({ hosts }: Packing, wanted: Float64Array): LinearProgram {
  // Rows as shares of the requests: bytes and millicores differ by nine orders of magnitude.
  const rows = Array.from(wanted, (amount) => ({ atLeast: amount > 0 ? 1 : 0, atMost: Infinity }));
  const resources = Array.from(wanted.keys());
  const columns = hosts.map(({ price, count, capacity }) => {
    const shares = resources.map((d) => (wanted[d] > 0 ? capacity[d] / wanted[d] : 0));
    if (count === Infinity) return { cost: price, rows: resources, values: shares };
    rows.push({ atLeast: -Infinity, atMost: count });
    return { cost: price, rows: [...resources, rows.length - 1], values: [...shares, 1] };
  });
  return { rows, columns };
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let d = 0; d < a.length; d++) sum += a[d] * b[d];
  return sum;
}
