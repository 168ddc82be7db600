/**
 * What stock Karpenter would answer about a cluster, in the shape in which the recorded answers of
 * the real Karpenter are kept, so that the two can be laid side by side.
 */
export type Method = 'empty' | 'multi' | 'single';

export interface StockReplacement {
  readonly nodePool: string;
  /** ["*"] is "not restricted". */
  readonly capacityTypes: readonly string[];
  readonly zones: readonly string[];
  /** namespace/name, sorted. */
  readonly pods: readonly string[];
  /** Cheapest first; price of the cheapest available offering that the claim allows, -1 for none. */
  readonly instanceTypes: readonly { readonly name: string; readonly price: number }[];
}

export interface StockCommand {
  readonly decision: 'delete' | 'replace' | 'no-op';
  /** Sorted by name. */
  readonly nodes: readonly string[];
  readonly replacements: readonly StockReplacement[];
  /** Dollars per hour. */
  readonly savings: number;
}

export interface StockNode {
  readonly name: string;
  readonly nodePool: string;
  /** Passed candidate construction (karpenter-semantics §1.1). */
  readonly candidate: boolean;
  readonly price: number;
  readonly disruptionCost: number;
  readonly rescheduleDisruptionCost: number;
  /** By method; empty for nodes that are no candidates. */
  readonly shouldDisrupt: Readonly<Partial<Record<Method, boolean>>>;
  /** Only for nodes that the single-node method would examine. */
  readonly alone?: StockCommand;
}

export interface StockAnswer {
  /** Sorted by name. */
  readonly nodes: readonly StockNode[];
  /** Reason (Empty, Underutilized) → NodePool → nodes that may be disrupted now. */
  readonly budgets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly nodePoolTotals: Readonly<Record<string, { readonly cost: number; readonly disruptionCost: number }>>;
  readonly methods: Readonly<Record<Method, StockCommand>>;
}
