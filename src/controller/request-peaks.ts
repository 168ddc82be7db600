import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';

const BUCKET_MS = 60_000;
/** Buckets that make up the last 15 minutes. */
const BUCKETS = 15;

interface Bucket {
  readonly minute: number;
  /** By node: the least that was free of each resource. */
  readonly least: Map<string, Float64Array>;
}

/**
 * How much more was requested on each node within the last 15 minutes than now, by resource, pod slots included. CronJobs and
 * rollouts come back: a destination must have room for them beside the pods that move there. Kept in memory only.
 */
export class RequestPeaks {
  private buckets: Bucket[] = [];
  private resources: readonly string[] = [];
  private now = new Map<string, Float64Array>();

  /** Of a cluster in which no simulation stands. */
  observed({ rows, free, requests, objects }: CompiledCluster): void {
    const resources = [...requests.dimensions.keys()];
    if (resources.join() !== this.resources.join()) this.buckets = [];
    this.resources = resources;
    const minute = Math.floor(objects.nowMs / BUCKET_MS);
    this.buckets = this.buckets.filter((b) => b.minute > minute - BUCKETS && b.minute <= minute);
    let bucket = this.buckets.at(-1);
    if (bucket?.minute !== minute) {
      bucket = { minute, least: new Map() };
      this.buckets.push(bucket);
    }
    this.now = new Map();
    rows.forEach(({ name }, row) => {
      const current = Float64Array.from(free, (column) => column[row]);
      this.now.set(name, current);
      const known = bucket.least.get(name);
      if (known === undefined) bucket.least.set(name, current.slice());
      else for (let d = 0; d < current.length; d++) known[d] = Math.min(known[d], current[d]);
    });
  }

  /**
   * The resource that the row would lack if requests rose to their peak again, with the simulation that stands on the
   * cluster last observed.
   */
  lackedBy({ rows, free }: CompiledCluster, row: number): string | undefined {
    const { name } = rows[row];
    const now = this.now.get(name);
    if (now === undefined) return undefined;
    for (let d = 0; d < free.length; d++) {
      let least = now[d];
      for (const bucket of this.buckets) least = Math.min(least, bucket.least.get(name)?.[d] ?? Infinity);
      if (free[d][row] < now[d] - least) return this.resources[d];
    }
    return undefined;
  }
}
