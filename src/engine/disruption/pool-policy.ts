import type { Budget } from '../cluster/objects.ts';

/** Which kinds of consolidation a NodePool allows (policies document, option 2; Balanced is Karpenter's). */
export type PolicyName = 'WhenEmpty' | 'WhenCheaper' | 'WhenUnderutilized' | 'WhenUnderutilizedOrCheaper' | 'Balanced';

/** The disruption block of one NodePool, every field present: `src/config` validates it and fills in the defaults. */
export interface PoolPolicy {
  readonly policy: PolicyName;
  /** Methods that the policy allows and the block does not disable (policies document, option 3). */
  readonly emptiness: {
    readonly enabled: boolean;
    /** A node whose pods use at most this share of it counts as nearly empty; 0 to 1. */
    readonly emptyThreshold: number;
  };
  readonly singleNode: { readonly enabled: boolean };
  readonly multiNode: { readonly enabled: boolean; readonly maxParallel: number };
  /** undefined for Never. */
  readonly consolidateAfterMs: number | undefined;
  /** The block sets consolidateAfter itself, so that the minimum node lifetime does not apply. */
  readonly setsConsolidateAfter: boolean;
  /** undefined: no grace period. */
  readonly gracePeriodMs: number | undefined;
  /** Cents per hour that each unit of disruption cost must save. */
  readonly savingsThresholdCents: number;
  /**
   * Share of the price of the removed nodes that a move must save, in percent; computed from the cluster's shape if
   * auto.
   */
  readonly minSavingsPercent: number | 'auto';
  readonly balancedK: number;
  /** Only with consolidation off: seconds after which empty nodes are removed. */
  readonly ttlSecondsAfterEmpty: number | undefined;
  readonly budgets: readonly Budget[];
  /** Free capacity that the pool must keep after a move. */
  readonly headroom?: readonly Headroom[];
  /** Nodes that the pool must have after a move. */
  readonly minNodes?: number;
  /** Share of a workload's pods that a move may put on one node of the pool; 0 to 1. */
  readonly maxShareOnOneNode?: number;
  /** Pods of Deployments with one replica are rolled instead of evicted. */
  readonly rollsSingletons?: boolean;
}

/** Free capacity to keep. */
export interface Headroom {
  /** `pods`: places for pods of a shape. */
  readonly resource: 'cpu' | 'memory' | 'pods';
  /** Millicores, bytes or pods; with isPercent, percent of the pool's allocatable or of the pods that it runs. */
  readonly amount: number;
  readonly isPercent: boolean;
  /** For pods: requests of each, in millicores and bytes. */
  readonly shape?: { readonly cpu: number; readonly memory: number };
}
