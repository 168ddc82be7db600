import type { CompiledCluster } from './compiled-cluster.ts';
import { inQueueOrder, joined } from './queue-order.ts';
import { recountRunningPod } from './running-pods.ts';

/** The pods to place again when rows are removed; computed on first use. */
export class RowQueues {
  private readonly cluster: CompiledCluster;
  private readonly sorted: (readonly number[] | undefined)[];
  private readonly counted: (readonly number[] | undefined)[];
  /** The last queue of several rows; a search adds one row after the other. */
  private last: {
    readonly rows: readonly number[];
    readonly others: readonly number[];
    readonly queue: readonly number[];
  };

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
    this.sorted = new Array(cluster.rows.length);
    this.counted = new Array(cluster.rows.length);
    this.last = { rows: NO_ROWS, others: NO_ROWS, queue: NO_ROWS };
  }

  /** Pods of a row in placement order. */
  of(row: number): readonly number[] {
    this.sorted[row] ??= inQueueOrder(this.cluster, [...this.cluster.movableOfRow[row]]);
    return this.sorted[row];
  }

  /** The pods of these rows and the others, which are sorted, in one queue. */
  joined(others: readonly number[], rows: readonly number[]): readonly number[] {
    if (rows.length === 1) return joined(this.cluster, others, this.of(rows[0]));
    const { last } = this;
    const isLonger = last.others === others && last.rows.every((row, i) => row === rows[i]);
    const more = rows.slice(isLonger ? last.rows.length : 0);
    const start = isLonger ? last.queue : others;
    const queue = more.length === 1 ? joined(this.cluster, start, this.of(more[0])) : this.sortedWith(start, more);
    this.last = { rows, others, queue };
    return queue;
  }

  private sortedWith(start: readonly number[], rows: readonly number[]): readonly number[] {
    if (rows.length === 0) return start;
    return inQueueOrder(this.cluster, [...start, ...rows.flatMap((row) => this.of(row))]);
  }

  /** Where pods of a row count that are placed again: a group and a domain, one after the other. */
  countedOf(row: number): readonly number[] {
    this.counted[row] ??= this.countsOf(row);
    return this.counted[row];
  }

  private countsOf(row: number): readonly number[] {
    const { movableOfRow, membershipOfPod, shapeOfPod, pods, rows, counts } = this.cluster;
    const out: number[] = [];
    const noted = {
      groups: counts.groups,
      hostsNeedLabel: counts.hostsNeedLabel,
      counts: (group: number, at: number) => counts.counts(group, at),
      add: (group: number, domain: number) => out.push(group, domain),
    };
    for (const pod of movableOfRow[row]) {
      const shape = shapeOfPod[pod];
      // A pod with unresolved volumes is both placed again and counted where it is.
      if (shape?.forgetsTopology === true) continue;
      recountRunningPod(pods[pod], membershipOfPod[pod], shape, row, rows[row], noted, 1);
    }
    return out;
  }
}

const NO_ROWS: readonly number[] = [];
