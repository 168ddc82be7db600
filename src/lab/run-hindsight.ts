import type { Scenario } from '../simulator/scenario.ts';
import { CALM, NONE, STOCK } from './built-in-policies.ts';
import { recordedFuture } from './future.ts';
import { HindsightTiming } from './hindsight.ts';
import type { NamedPolicy } from './named-policy.ts';
import type { PolicyClusterOptions } from './policy-cluster.ts';
import type { Job, RunSummary } from './run-summary.ts';

/** One simulation; `run-one.ts` has it. */
export type Simulate = (
  job: Job,
  workload: Scenario,
  options: Pick<PolicyClusterOptions, 'timing'>,
) => Promise<RunSummary>;

/** From many evictions to few: savings threshold of the search in cents, price of an eviction in cents. */
const LEVELS: readonly (readonly [threshold: number, price: number])[] = [
  [0, 0.3],
  [0, 2],
  [0.25, 2],
  [0.5, 2],
  [1, 2],
  [2, 4],
  [4, 10],
  [10, 40],
];
/** Shares of the nodes' capacity that pods are taken to use at most. */
const USABLE = [1, 0.85];
/** Tries to find the most evictions that a run needs to be within the cost, if no level is close to it. */
const CAPS = 3;
const CLOSE = 0.02;
/** Other orders of steering, at the last levels within the cost. */
const VARIANTS = 8;

/**
 * The run with the fewest evictions among those that cost at most `maxCost` of stock's: moves are timed by the future, at
 * levels of prices and with a limit on evictions that are searched, and policies that know nothing are among them.
 */
export async function hindsightRun(
  job: Job,
  workload: Scenario,
  maxCost: number,
  simulate: Simulate,
): Promise<RunSummary> {
  const { seed, days } = job;
  const plain = (policy: NamedPolicy) => simulate({ ...job, policy }, workload, {});
  const stock = await plain(STOCK);
  const limit = maxCost * stock.costDollars;
  const tried = [stock, await plain(NONE), await plain(CALM)];
  const future = recordedFuture(workload, seed, days);
  const attempt = async ({ level, usable, variant = 0, most = Infinity }: Parameters) => {
    const [threshold, price] = LEVELS[level];
    const run = await simulate({ ...job, policy: levelPolicy(threshold) }, workload, {
      timing: ({ world, ledger }) =>
        new HindsightTiming({
          world,
          future,
          usable,
          variant,
          centsPerUnit: price,
          maySpend: () => ledger.summary().evictions < most,
        }),
    });
    tried.push(run);
    return run;
  };
  const ends: Parameters[] = [];
  for (const usable of USABLE) {
    // The last level within the cost.
    let [within, beyond] = [-1, LEVELS.length];
    while (beyond - within > 1) {
      const level = Math.floor((within + beyond) / 2);
      const { costDollars } = await attempt({ level, usable });
      if (costDollars <= limit) within = level;
      else beyond = level;
    }
    ends.push({ level: Math.max(0, within), usable });
  }
  for (let variant = 1; variant <= VARIANTS; variant++) await attempt({ ...ends[variant % ends.length], variant });
  const best = fewest(tried, limit);
  if (best.costDollars < (1 - CLOSE) * limit) await withCaps(best.evictions, attempt, limit);
  return fewest(tried, limit);
}

interface Parameters {
  /** Index in LEVELS. */
  readonly level: number;
  readonly usable: number;
  readonly variant?: number;
  /** Evictions. */
  readonly most?: number;
}

/** Where every move lasts, prices do not tell them apart: only the first ones are made. */
async function withCaps(
  evictions: number,
  attempt: (parameters: Parameters) => Promise<RunSummary>,
  limit: number,
): Promise<void> {
  let [without, enough] = [0, evictions];
  for (let i = 0; i < CAPS && enough - without > 1; i++) {
    const most = Math.floor((without + enough) / 2);
    const { costDollars } = await attempt({ level: 1, usable: USABLE[0], most });
    if (costDollars <= limit) enough = most;
    else without = most;
  }
}

function fewest(runs: readonly RunSummary[], limit: number): RunSummary {
  const within = runs.filter(({ costDollars }) => costDollars <= limit);
  return within.reduce((a, b) => ((b.evictions - a.evictions || b.costDollars - a.costDollars) < 0 ? b : a));
}

function levelPolicy(threshold: number): NamedPolicy {
  return {
    ...CALM,
    disruption: { ...CALM.disruption, consolidationSavingsThresholdCents: String(threshold) },
    switches: {
      ...CALM.switches,
      'eviction-price': '0s',
      'polling-period': '10s',
      'peak-window': '0s',
      'job-peak-window': '0s',
    },
  };
}
