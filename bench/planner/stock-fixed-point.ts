import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { clusterAfter } from '../../src/engine/moves/cluster-after.ts';
import { consolidate } from '../../src/engine/moves/consolidate.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import { partsOf } from '../../src/engine/moves/parts.ts';
import { minimalCommand } from '../../src/engine/pass/staged-search.ts';
import { isEmptyDeletion } from '../../src/engine/search/joint-deletions.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import { searchAsStock } from '../../src/engine/search/stock/stock.ts';
import { STOCK_RULES } from '../../src/engine/settings.ts';
import { MERGED_RULES, type Priced } from './merged-plan.ts';
import { evictionsOf, priceOf, questionOf } from './question.ts';
import { type Duration, stopwatch } from './stopwatch.ts';

export interface Settled extends Priced {
  readonly nodes: number;
  readonly commands: number;
  /** Commands of several nodes that fall into independent parts, of which one passes the gates only beside the others. */
  readonly bundled: number;
  readonly took: Duration;
}

/** Far more than any cluster here needs; a loop that does not end is worth knowing about. */
const MOST_COMMANDS = 10_000;

/**
 * Stock's commands one after the other until it has none left, each executed at once and in full: what a cluster would
 * come to if nothing else happened in it. A pod may be moved many times on the way. Nodes on which pods run are not taken for
 * empty: stock does so if evicting those pods costs nothing, deletes them, launches nodes for the pods, and never ends.
 * `isMinimal`: a command that falls into independent parts is only made as far as its parts pass every gate alone.
 */
export function stockToItsFixedPoint(start: ClusterObjects, isMinimal = false): Settled {
  const elapsed = stopwatch();
  let objects = start;
  let evictions = 0;
  let bundled = 0;
  for (let commands = 0; commands < MOST_COMMANDS; commands++) {
    const problem = questionOf(objects, STOCK_RULES, 1, false, MERGED_RULES);
    const { cluster } = problem.simulation;
    const found = isMinimal ? minimalCommand(problem).map(({ move }) => move) : commandOf(problem);
    if (found.length === 0) {
      const { length: nodes } = objects.nodes;
      return { dollarsPerHour: priceOf(cluster), nodes, evictions, commands, bundled, took: elapsed() };
    }
    if (found.some((move) => isBundled(problem, move))) bundled++;
    evictions += evictionsOf(cluster, found);
    objects = clusterAfter(cluster, found, (move) => `command-${commands}${move === 1 ? '' : `-${move}`}`);
  }
  throw new Error(`stock finds no rest within ${MOST_COMMANDS} commands`);
}

function commandOf(problem: SearchProblem): readonly Move[] {
  const found = searchAsStock(problem);
  return found === undefined ? [] : [found.move];
}

function isBundled({ simulation }: SearchProblem, move: Move): boolean {
  const parts = isEmptyDeletion(move) ? [] : partsOf(simulation.cluster, move);
  return parts.length > 1 && parts.some((part) => 'refusal' in consolidate(simulation, part));
}
