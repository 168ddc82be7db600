import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';

/** What the pods of a row say about its removal, as long as they are the same objects. */
export interface RowFacts {
  /** Σ eviction cost of all pods. */
  readonly evictionCost: number;
  /** The same without terminal and mirror pods. */
  readonly disruptionCost: number;
  /** Σ eviction cost of the pods that would have to move, each at least 0. */
  readonly movingCost: number;
  /** Number of these pods. */
  readonly moving: number;
  /** Places in its list of pods that something besides a single PodDisruptionBudget may keep there. */
  readonly special: readonly number[];
  /** Indexes of the PodDisruptionBudgets that select its pods. */
  readonly budgets: readonly number[];
}

/** Made on first use, and kept while the row is unchanged. */
export function rowFacts(cluster: CompiledCluster, row: number): RowFacts {
  cluster.rowFacts[row] ??= made(cluster, row);
  return cluster.rowFacts[row];
}

function made({ podsOfRow, pods, facts, budgets }: CompiledCluster, row: number): RowFacts {
  let [evictionCost, disruptionCost, movingCost, moving] = [0, 0, 0, 0];
  const special: number[] = [];
  const selecting = new Set<number>();
  for (const [at, i] of podsOfRow[row].entries()) {
    const own = facts[i];
    evictionCost += own.evictionCost;
    if (!own.terminal && !own.mirror) disruptionCost += own.evictionCost;
    if (own.reschedulable) {
      movingCost += Math.max(0, own.evictionCost);
      moving++;
    }
    const guards = budgets.selecting(pods[i], own);
    if (guards.length === 1) selecting.add(guards[0]);
    if (own.peculiar || own.hasVolumes || guards.length > 1) special.push(at);
  }
  return { evictionCost, disruptionCost, movingCost, moving, special, budgets: [...selecting] };
}
