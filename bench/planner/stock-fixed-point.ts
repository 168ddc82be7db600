import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { searchAsStock } from '../../src/engine/search/stock/stock.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';
import { clusterAfter } from '../../test/search/cluster-after.ts';
import { evictionsOf, priceOf, questionOf } from './question.ts';
import { type Duration, stopwatch } from './stopwatch.ts';

export interface Settled {
  readonly dollarsPerHour: number;
  readonly nodes: number;
  /** Each time that a pod was moved. */
  readonly evictions: number;
  readonly commands: number;
  readonly took: Duration;
}

/** Far more than any cluster here needs; a loop that does not end is worth knowing about. */
const MOST_COMMANDS = 10_000;

/**
 * Stock's commands one after the other until it has none left, each carried out at once and in full: what a cluster would
 * come to if nothing else happened in it. A pod may be moved many times on the way.
 */
export function stockToItsFixedPoint(start: ClusterObjects): Settled {
  const elapsed = stopwatch();
  let objects = start;
  let evictions = 0;
  for (let commands = 0; commands < MOST_COMMANDS; commands++) {
    const problem = questionOf(objects, STOCK_RULES, 1);
    const { cluster } = problem.simulation;
    const found = searchAsStock(problem);
    if (found === undefined) {
      return { dollarsPerHour: priceOf(cluster), nodes: objects.nodes.length, evictions, commands, took: elapsed() };
    }
    evictions += evictionsOf(cluster, [found.move]);
    objects = clusterAfter(cluster, [found.move], `command-${commands}`);
  }
  throw new Error(`stock finds no rest within ${MOST_COMMANDS} commands`);
}
