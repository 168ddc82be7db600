import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { clusterAfter } from '../../src/engine/moves/cluster-after.ts';
import { consolidate } from '../../src/engine/moves/consolidate.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import { partsOf } from '../../src/engine/moves/parts.ts';
import { minimalCommand } from '../../src/engine/pass/staged-search.ts';
import { refusalText } from '../../src/engine/refusal-text.ts';
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
  readonly bundles: readonly Bundle[];
  readonly took: Duration;
}

/** A command of several nodes that falls into independent parts, of which one passes the gates only beside the others. */
export interface Bundle {
  /** Its number, from 1. */
  readonly command: number;
  readonly parts: readonly BundledPart[];
}

interface BundledPart {
  /** With capacity types. */
  readonly nodes: readonly string[];
  /** Why it is no move alone; undefined if it is one. */
  readonly refusal: string | undefined;
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
  const bundles: Bundle[] = [];
  for (let commands = 0; commands < MOST_COMMANDS; commands++) {
    const problem = questionOf(objects, STOCK_RULES, 1, false, MERGED_RULES);
    const { cluster } = problem.simulation;
    const found = isMinimal ? minimalCommand(problem).map(({ move }) => move) : commandOf(problem);
    if (found.length === 0) {
      const { length: nodes } = objects.nodes;
      return { dollarsPerHour: priceOf(cluster), nodes, evictions, commands, bundles, took: elapsed() };
    }
    for (const move of found) {
      const parts = bundledParts(problem, move);
      if (parts.some(({ refusal }) => refusal !== undefined)) bundles.push({ command: commands + 1, parts });
    }
    evictions += evictionsOf(cluster, found);
    objects = clusterAfter(cluster, found, (move) => `command-${commands}${move === 1 ? '' : `-${move}`}`);
  }
  throw new Error(`stock finds no rest within ${MOST_COMMANDS} commands`);
}

function commandOf(problem: SearchProblem): readonly Move[] {
  const found = searchAsStock(problem);
  return found === undefined ? [] : [found.move];
}

/** Each judged alone; none if the move is minimal. */
function bundledParts({ simulation }: SearchProblem, move: Move): readonly BundledPart[] {
  const parts = isEmptyDeletion(move) ? [] : partsOf(simulation.cluster, move);
  if (parts.length < 2) return [];
  return parts.map((part) => {
    const alone = consolidate(simulation, part);
    return {
      nodes: part.map(({ name, capacityType }) => `${name} (${capacityType})`),
      refusal: 'refusal' in alone ? refusalText(alone.refusal) : undefined,
    };
  });
}
