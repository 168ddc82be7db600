import type { Bitset } from '../cluster/bitset.ts';
import { CPU, MEMORY, PODS, type RequestId } from '../cluster/request-table.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import type { FreeCapacityIndex } from './free-capacity-index.ts';

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
  private readonly requests: CompiledCluster['requests'];
  private readonly index: readonly FreeCapacityIndex[];
  private readonly known: (FittingNodes | undefined)[] = [];

  constructor({ requests }: CompiledCluster, index: readonly FreeCapacityIndex[]) {
    this.requests = requests;
    this.index = index;
  }

  of(request: RequestId): FittingNodes {
    this.known[request] ??= this.lookUp(this.requests.amounts(request));
    return this.known[request];
  }

  private lookUp(amounts: Float64Array): FittingNodes {
    const { index } = this;
    const others: Bitset[] = [];
    for (let d = PODS + 1; d < amounts.length; d++) if (amounts[d] > 0) others.push(index[d].atLeast(amounts[d]));
    return {
      cpu: index[CPU].atLeast(amounts[CPU]),
      memory: index[MEMORY].atLeast(amounts[MEMORY]),
      cpuSummary: index[CPU].summaryOf(amounts[CPU]),
      memorySummary: index[MEMORY].summaryOf(amounts[MEMORY]),
      others,
    };
  }
}
