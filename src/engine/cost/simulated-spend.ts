import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Spend } from './cluster-cost.ts';
import { spendOf, withoutRows } from './cluster-spend.ts';

/**
 * What the nodes of a simulated cluster cost, if commitments pay for some of them. Everything is undefined without
 * commitments, where prices add up.
 */
export class SimulatedSpend {
  /** Without any layer of the simulation. */
  readonly running: Spend | undefined;
  /** After its layers, which put back what was there before when they are undone. */
  now: Spend | undefined;
  private readonly cluster: CompiledCluster;

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
    this.running = spendOf(cluster);
    this.now = this.running;
  }

  remove(rows: readonly number[]): void {
    if (this.now !== undefined) this.now = withoutRows(this.cluster, this.now, rows);
  }
}
