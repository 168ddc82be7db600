import type { Bitset } from '../cluster/bitset.ts';
import { CPU, MEMORY, PODS, type RequestId } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';

/** Nodes that have enough of each resource for one request, as supersets (free-capacity-index.ts). */
export interface FittingNodes {
  readonly cpu: Bitset;
  readonly memory: Bitset;
  readonly cpuSummary: Bitset;
  readonly memorySummary: Bitset;
  /** For each other requested resource. */
  readonly others: readonly Bitset[];
}

/** Sets by request, looked up once: their members change, but the set objects stay during a search. */
export class FittingNodesByRequest {
  private readonly cluster: CompiledCluster;
  private readonly known: (FittingNodes | undefined)[] = [];

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
  }

  of(request: RequestId): FittingNodes {
    this.known[request] ??= this.lookUp(this.cluster.requests.amounts(request));
    return this.known[request];
  }

  private lookUp(amounts: Float64Array): FittingNodes {
    const { freeIndex } = this.cluster;
    const others: Bitset[] = [];
    for (let d = PODS + 1; d < amounts.length; d++) if (amounts[d] > 0) others.push(freeIndex[d].atLeast(amounts[d]));
    return {
      cpu: freeIndex[CPU].atLeast(amounts[CPU]),
      memory: freeIndex[MEMORY].atLeast(amounts[MEMORY]),
      cpuSummary: freeIndex[CPU].summaryOf(amounts[CPU]),
      memorySummary: freeIndex[MEMORY].summaryOf(amounts[MEMORY]),
      others,
    };
  }
}
