import { NODE_POOL } from '../engine/cluster/well-known.ts';
import { expectedPrice } from '../engine/moves/replacement.ts';
import type { Evaluation, FoundMove } from '../engine/pass/evaluation.ts';
import type { PoolFigures } from './report.ts';

/** Cost of every pool, now and after all moves; a replacement counts for its own pool. */
export function poolFigures(
  { rows, problem: { simulation, budgets } }: Evaluation,
  centsOfRows: readonly number[],
  moves: readonly FoundMove[],
): ReadonlyMap<string, PoolFigures> {
  const { cluster } = simulation;
  const nodes = new Map<string, number>();
  const now = new Map<string, number>();
  const change = new Map<string, number>();
  for (const [i, { row }] of rows.entries()) {
    const pool = cluster.rows[row].labels[NODE_POOL] ?? '';
    add(nodes, pool, 1);
    add(now, pool, centsOfRows[i]);
  }
  for (const { move } of moves) {
    for (const { pool, price } of move.candidates) add(change, pool.name, -price * 100);
    for (const r of move.replacements)
      add(change, cluster.templates[r.template].pool.name, expectedPrice(cluster, r) * 100);
  }
  return new Map(
    cluster.objects.nodePools.map(({ name }) => {
      const centsPerHour = now.get(name) ?? 0;
      const figures: PoolFigures = {
        nodes: nodes.get(name) ?? 0,
        centsPerHour,
        plannedCentsPerHour: centsPerHour + (change.get(name) ?? 0),
        budgets: {
          Empty: budgets.Empty.get(name) ?? 0,
          Underutilized: budgets.Underutilized.get(name) ?? 0,
        },
      };
      return [name, figures];
    }),
  );
}

function add(sums: Map<string, number>, key: string, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}
