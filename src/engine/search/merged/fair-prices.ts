import type { LaunchOption } from './launch-options.ts';

/** What a unit of each resource costs where nothing is wasted: cents per hour and unit. */
export interface FairPrices {
  readonly cpu: number;
  readonly memory: number;
}

/**
 * Prices under which no option holds more than it costs, and that make the given demand most expensive: the dual of "the
 * cheapest mixture of options that holds this much cpu and memory". With two unknowns the best is at a corner, where two
 * options, or an option and an axis, meet.
 */
export function fairPrices(
  options: readonly LaunchOption[],
  demand: { readonly cpu: number; readonly memory: number },
): FairPrices {
  let best: FairPrices = { cpu: 0, memory: 0 };
  let most = -1;
  const consider = (cpu: number, memory: number) => {
    if (!(cpu >= 0 && memory >= 0)) return;
    const worth = cpu * demand.cpu + memory * demand.memory;
    if (worth <= most) return;
    for (const v of options) if (cpu * v.cpu + memory * v.memory > v.cents * (1 + 1e-9)) return;
    best = { cpu, memory };
    most = worth;
  };
  for (const [i, a] of options.entries()) {
    consider(a.cents / a.cpu, 0);
    consider(0, a.cents / a.memory);
    for (let j = 0; j < i; j++) {
      const b = options[j];
      const determinant = a.cpu * b.memory - b.cpu * a.memory;
      consider(
        (a.cents * b.memory - b.cents * a.memory) / determinant,
        (a.cpu * b.cents - b.cpu * a.cents) / determinant,
      );
    }
  }
  return best;
}
