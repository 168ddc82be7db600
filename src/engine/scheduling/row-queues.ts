import type { CompiledCluster } from './compiled-cluster.ts';
import { inQueueOrder, joined } from './queue-order.ts';

/** The pods to place again when rows are removed; computed on first use. */
export class RowQueues {
  private readonly cluster: CompiledCluster;
  private readonly sorted: (readonly number[] | undefined)[];
  private readonly counted: (readonly number[] | undefined)[];

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
    this.sorted = new Array(cluster.rows.length);
    this.counted = new Array(cluster.rows.length);
  }

  /** Pods of a row in placement order. */
  of(row: number): readonly number[] {
    this.sorted[row] ??= inQueueOrder(this.cluster, [...this.cluster.movableOfRow[row]]);
    return this.sorted[row];
  }

  /** The pods of these rows and the others, which are sorted, in one queue. */
  joined(others: readonly number[], rows: readonly number[]): readonly number[] {
    if (rows.length === 1) return joined(this.cluster, others, this.of(rows[0]));
    return inQueueOrder(this.cluster, [...others, ...rows.flatMap((row) => this.of(row))]);
  }

  /** Pods of a row that some group counts where they run. */
  countedOf(row: number): readonly number[] {
    const { movableOfRow, membershipOfPod, shapeOfPod } = this.cluster;
    this.counted[row] ??= movableOfRow[row].filter((pod) => {
      const { forgetsTopology = false, repels = [] } = shapeOfPod[pod] ?? {};
      // A pod with unresolved volumes is both placed again and counted where it is.
      return !forgetsTopology && (membershipOfPod[pod].running.length > 0 || repels.length > 0);
    });
    return this.counted[row];
  }
}
