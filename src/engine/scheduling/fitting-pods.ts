import { hasBit, lowestBit } from '../cluster/bitset.ts';
import type { RequestId } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import { freeForMoves } from './destinations.ts';
import type { ExistingNodes } from './existing-nodes.ts';
import { fitKeyOf } from './first-fit-cache.ts';
import type { PodStage } from './pod-shapes.ts';

/** Pods of one size that may use the same nodes by labels, taints, volumes and shield. */
export interface Wanted {
  readonly request: RequestId;
  readonly stage: PodStage;
  readonly mayUseShielded: boolean;
}

/** Counting stops here. */
const ENOUGH = 64;

interface Counted {
  readonly pods: number;
  /** `reopened` of the nodes at that time. */
  readonly when: number;
}

/**
 * How many pods of one size fit on nodes between simulations: each size as if alone, ignoring constraints. So it is an
 * upper bound.
 */
export class FittingPods {
  private readonly cluster: CompiledCluster;
  private readonly existing: ExistingNodes;
  private readonly counted = new Map<number, Counted>();

  constructor(cluster: CompiledCluster, existing: ExistingNodes) {
    this.cluster = cluster;
    this.existing = existing;
  }

  /** How many of these fit without these rows; Infinity if many. */
  beside(rows: readonly number[], wanted: Wanted): number {
    const { gone } = this.existing;
    let pods = this.anywhere(wanted);
    if (pods >= ENOUGH) return Infinity;
    const { nodes } = this.existing.candidates(wanted.stage, wanted.mayUseShielded);
    const amounts = this.cluster.requests.amounts(wanted.request);
    for (const row of rows) if (hasBit(nodes, row) && !hasBit(gone, row)) pods -= this.on(row, amounts, wanted);
    return pods;
  }

  /** An upper bound: counted when there was at least as much capacity. */
  private anywhere(wanted: Wanted): number {
    const key = fitKeyOf(this.cluster, wanted.request, wanted.stage, wanted.mayUseShielded);
    const known = this.counted.get(key);
    if (known !== undefined && known.when === this.existing.reopened) return known.pods;
    const pods = this.count(wanted);
    this.counted.set(key, { pods, when: this.existing.reopened });
    return pods;
  }

  private count(wanted: Wanted): number {
    const { request, stage, mayUseShielded } = wanted;
    const { requests } = this.cluster;
    const { gone, fittingNodes } = this.existing;
    const { nodes } = this.existing.candidates(stage, mayUseShielded);
    const amounts = requests.amounts(request);
    const { cpu, memory, others } = fittingNodes.of(request);
    let pods = 0;
    for (let w = 0; w < nodes.length && pods < ENOUGH; w++) {
      let word = nodes[w] & cpu[w] & memory[w] & ~gone[w];
      for (let m = 0; m < others.length && word !== 0; m++) word &= others[m][w];
      for (; word !== 0; word &= word - 1) pods += this.on((w << 5) + lowestBit(word), amounts, wanted);
    }
    return pods;
  }

  private on(row: number, amounts: Float64Array, { mayUseShielded }: Wanted): number {
    const { cluster } = this;
    let pods = ENOUGH;
    for (let d = 0; d < amounts.length; d++) {
      const room = mayUseShielded ? cluster.free[d][row] : freeForMoves(cluster, d, row);
      if (amounts[d] > room) return 0;
      if (amounts[d] > 0) pods = Math.min(pods, Math.floor(room / amounts[d] + ROUNDING));
    }
    return pods;
  }
}

/** Capacity is subtracted pod by pod, not by multiplication. */
const ROUNDING = 1e-6;
