import type { ClusterObjects } from '../../src/engine/cluster/objects.ts';
import { CAPACITY_TYPE, ZONE } from '../../src/engine/cluster/well-known.ts';
import { poolTotals } from '../../src/engine/disruption/balanced.ts';
import { consolidationBudgets } from '../../src/engine/disruption/budgets.ts';
import { assess, refusalsByMethods } from '../../src/engine/gates/assessment.ts';
import type { Move } from '../../src/engine/moves/move.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../../src/engine/scheduling/simulation.ts';
import type { SearchProblem } from '../../src/engine/search/problem.ts';
import type { Rules } from '../../src/engine/settings.ts';

/** The cluster and what may be done with it, as both searches are asked. `nodeRules`: for the gates of nodes, if other ones. */
export function questionOf(
  objects: ClusterObjects,
  rules: Rules,
  maxReplacements: number,
  mayFollow = false,
  nodeRules = rules,
): SearchProblem {
  const cluster = compile(objects, rules.settings);
  const assessed = cluster.rows.flatMap((node, row) => (node.tracked ? [assess(cluster, row, nodeRules)] : []));
  const possible = assessed.flatMap((a) => ('candidate' in a ? [a.candidate] : []));
  return {
    simulation: new Simulation(cluster),
    candidates: possible.filter((c) => refusalsByMethods(cluster, c, nodeRules).length === 0),
    totals: poolTotals(cluster, possible),
    budgets: consolidationBudgets(objects, cluster.rows),
    maxReplacements,
    mayFollow,
    maxWorkloadEvictions: 0,
  };
}

/** Dollars per hour of all nodes with a price. */
export function priceOf({ rows, types }: CompiledCluster): number {
  return rows.reduce((sum, { labels }) => {
    const type = types.ofNode(labels);
    return sum + (type === undefined ? 0 : (types.priceOf(type, labels[ZONE] ?? '', labels[CAPACITY_TYPE] ?? '') ?? 0));
  }, 0);
}

/** Running pods that the moves would evict. */
export function evictionsOf({ rowOfPod }: CompiledCluster, moves: readonly Move[]): number {
  const gone = new Set(moves.flatMap((move) => move.candidates.map((c) => c.row)));
  return moves.reduce((sum, move) => sum + move.placements.filter(({ pod }) => gone.has(rowOfPod[pod])).length, 0);
}
