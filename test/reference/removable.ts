import type { CompiledCluster } from '../../src/engine/scheduling/compiled-cluster.ts';

/** Nodes that a simulation may be asked to remove: there, and not on their way out already. */
export function removableRows(cluster: CompiledCluster): number[] {
  return [...cluster.rows.keys()].filter(
    (row) => cluster.rows[row].node !== undefined && cluster.rows[row].tracked && !cluster.rows[row].deleting,
  );
}

/** A subset that a number stands for. */
export function someOf(rows: readonly number[], choice: number): number[] {
  return rows.filter((_, i) => (choice >>> i) & 1);
}
