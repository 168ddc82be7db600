import type { CompiledCluster } from './compiled-cluster.ts';
import { inQueueOrder, merged } from './queue-order.ts';

/** The pods that a simulation places anew when rows go, worked out when first asked for. */
export class RowQueues {
  private readonly cluster: CompiledCluster;
  private readonly sorted: (readonly number[] | undefined)[];
  private readonly counted: (readonly number[] | undefined)[];

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
    this.sorted = new Array(cluster.rows.length);
    this.counted = new Array(cluster.rows.length);
  }

  /** Pods of a row in the order in which they would be placed. */
  of(row: number): readonly number[] {
    this.sorted[row] ??= inQueueOrder(this.cluster, [...this.cluster.movableOfRow[row]]);
    return this.sorted[row];
  }

  /** The pods of these rows and the others, which are in order, in one queue. */
  joined(others: readonly number[], rows: readonly number[]): readonly number[] {
    let queue = others;
    for (const row of rows) queue = merged(this.cluster, queue, this.of(row));
    return queue;
  }

  /** Those of a row that some group counts where they run. */
  countedOf(row: number): readonly number[] {
    const { movableOfRow, membershipOfPod, shapeOfPod } = this.cluster;
    this.counted[row] ??= movableOfRow[row].filter((pod) => {
      const { forgetsTopology = false, repels = [] } = shapeOfPod[pod] ?? {};
      // A pod whose volumes could not be resolved is placed again and counted where it is, both.
      return !forgetsTopology && (membershipOfPod[pod].running.length > 0 || repels.length > 0);
    });
    return this.counted[row];
  }
}
