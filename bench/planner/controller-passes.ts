import type { Command } from '../../src/controller/command.ts';
import { newIds } from '../../src/controller/journal.ts';
import { commandFor } from '../../src/controller/new-command.ts';
import { orderOfPlan } from '../../src/controller/order-of-plan.ts';
import { checkedMoves, isSmall, workOfPass } from '../../src/controller/pass.ts';
import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { clusterAfter } from '../../src/engine/moves/cluster-after.ts';
import { IncrementalCluster } from '../../src/engine/pass/incremental-cluster.ts';
import { resultOf } from '../../src/engine/steps.ts';
import { MERGED_RULES, type Priced } from './merged-plan.ts';
import { evictionsOf, priceOf } from './question.ts';
import { type Duration, stopwatch } from './stopwatch.ts';

export interface Passed extends Priced {
  readonly passes: number;
  readonly took: Duration;
}

/** Far more than any cluster here needs. */
const MOST_PASSES = 2_000;

/**
 * Passes of the controller, each with its first wave executed at once and in full, until one proposes nothing. What it writes
 * into its journal is there for the next pass; `restarts`: nothing else is.
 */
export function controllerToItsFixedPoint(start: ClusterObjects, maxReplacements: number, restarts: boolean): Passed {
  const elapsed = stopwatch();
  const rules = { ...MERGED_RULES, settings: { ...MERGED_RULES.settings, maxReplacements } };
  const journal: Command[] = [];
  let incremental = new IncrementalCluster();
  let objects = start;
  let evictions = 0;
  for (let passes = 1; passes < MOST_PASSES; passes++) {
    if (restarts) incremental = new IncrementalCluster();
    const evaluation = resultOf(incremental.evaluate(objects, rules));
    const { problem } = evaluation;
    const { cluster } = problem.simulation;
    const order = orderOfPlan(journal, cluster);
    const found = resultOf(
      incremental.search(evaluation, { search: 'merged', work: workOfPass, isSmall, order, held: checkedMoves }),
    );
    const moves = found.first;
    if (moves.length === 0) return { dollarsPerHour: priceOf(cluster), evictions, passes, took: elapsed() };
    evictions += evictionsOf(cluster, moves);
    const newId = newIds(journal, passes);
    const commands = moves.map((move) => commandFor(cluster, move, newId(), found.order));
    journal.push(...commands);
    // As the controller names them.
    objects = clusterAfter(cluster, moves, (move, replacement) => `${commands[move - 1].id}-${replacement}`);
  }
  throw new Error(`the controller finds no rest within ${MOST_PASSES} passes`);
}
