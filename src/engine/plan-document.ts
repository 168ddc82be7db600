import type { UndecodableObject } from './cluster/undecodable.ts';

/** The Plan as all other layers see it: JSON, stable and versioned (docs/plan.schema.json). */
export const API_VERSION = 'decant.sh/v1alpha1';

export interface Plan {
  readonly apiVersion: typeof API_VERSION;
  readonly kind: 'Plan';
  /** RFC 3339. */
  readonly now: string;
  readonly search: 'merged' | 'karpenter';
  readonly totals: PlanTotals;
  /** The Karpenter of the cluster; absent if its Deployment is not among the objects. */
  readonly karpenter?: PlanKarpenter;
  /** Origin of the prices; absent if unknown. */
  readonly prices?: PlanPrices;
  /** Savings plans and reservations; absent if there are none. Totals include what they cost. */
  readonly commitments?: readonly PlannedCommitment[];
  /** Of the merged search: how much was searched. */
  readonly coverage?: PlanCoverage;
  /** On request: no plan for these candidates can make the cluster cheaper than this. */
  readonly bound?: PlanBound;
  /** Objects that could not be decoded and were set aside; absent if none. */
  readonly undecodable?: readonly UndecodableObject[];
  readonly moves: readonly PlannedMove[];
  readonly nodes: readonly PlannedNode[];
}

export interface PlanTotals {
  readonly nodes: number;
  readonly pods: number;
  readonly centsPerHour: number;
  readonly plannedCentsPerHour: number;
  readonly savingsCentsPerHour: number;
  readonly evictions: number;
  /** Pods that are rolled, not evicted; absent if none. */
  readonly rollouts?: number;
  readonly disruptionCost: number;
  /** Nodes whose removal was simulated. */
  readonly evaluated: number;
  /** Read, parse, compile. */
  readonly loadMs: number;
  /** Evaluation and search after that. */
  readonly elapsedMs: number;
}

export interface PlanKarpenter {
  /** Absent: its Deployment does not say. */
  readonly version?: string;
  /** `namespace/name`. Absent: it cannot be read, and the version is that of the CRDs. */
  readonly deployment?: string;
  /** The known release that is closest to it. */
  readonly closest: string;
}

export interface PlanPrices {
  /** `karpenter`, `bundled aws/eu-west-1 2026-08-22`, `catalog types.yaml`. */
  readonly source: string;
  /** RFC 3339: when the prices were valid. */
  readonly asOf?: string;
  /** Nodes by the origin of their price; `none`: it has no price and counts as free. */
  readonly nodesBySource: Readonly<Record<string, number>>;
  /** Share of the vCPUs of Karpenter's nodes that have no price. */
  readonly unpricedVcpuPercent: number;
  readonly warnings: readonly string[];
}

export interface PlannedCommitment {
  readonly name: string;
  /** Paid whether used or not. */
  readonly committedCentsPerHour: number;
  readonly now: CommitmentUse;
  /** After all moves. */
  readonly planned: CommitmentUse;
}

export interface CommitmentUse {
  /** Of what is committed. */
  readonly usedCentsPerHour: number;
  readonly unusedCentsPerHour: number;
  /** At list prices: the spend that it pays for. */
  readonly coveredCentsPerHour: number;
}

export interface PlanCoverage {
  /** Nodes that passed every gate for nodes. */
  readonly candidates: number;
  /** Candidates that were part of any tried move. */
  readonly examined: number;
  /** Plans composed or improved. */
  readonly drafts: number;
  /** Simulated placements. */
  readonly work: number;
}

export interface PlanBound {
  readonly centsPerHour: number;
  /** How far the planned price is above the bound, in percent. */
  readonly gapPercent: number;
  readonly method: 'resources';
  readonly converged: true;
}

export interface PlannedReplacement {
  readonly nodePool: string;
  /** Cheapest first. */
  readonly instanceTypes: readonly string[];
  readonly capacityTypes: readonly string[];
  readonly zones: readonly string[];
  readonly centsPerHour: number;
}

export interface PlannedMove {
  readonly kind: 'delete' | 'replace';
  readonly method: 'emptiness' | 'single' | 'multi' | 'merged';
  readonly wave: number;
  readonly nodes: readonly string[];
  readonly replacements: readonly PlannedReplacement[];
  /** `to` is a node's name, or new-1, new-2 … for the replacements in order; "new-1 of move 3" for those of an earlier move. */
  readonly placements: readonly { readonly pod: string; readonly to: string }[];
  /** Pods among the placements that are rolled, not evicted; absent if none. */
  readonly rollouts?: readonly PlannedRollout[];
  readonly savingsCentsPerHour: number;
  /** Nodes without a known price: the savings do not count theirs. Absent if none. */
  readonly unpricedNodes?: number;
  readonly requiredCentsPerHour: number;
  readonly disruptionCost: number;
}

export interface PlannedRollout {
  /** namespace/name */
  readonly pod: string;
  /** namespace/name */
  readonly deployment: string;
  readonly by: 'restart' | 'extra-replica';
}

export interface PlannedNode {
  readonly name: string;
  readonly nodePool: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  /** null if the catalog has no price. */
  readonly centsPerHour: number | null;
  /** Absent if no commitment matches the node. */
  readonly coverage?: NodeCoverage;
  /** Origin of the price; absent: the given catalog or snapshot. */
  readonly priceSource?: 'karpenter' | 'bundled' | 'overlay' | 'assumed';
  readonly utilization: number;
  readonly disruptionCost: number;
  readonly lifetimeRemaining: number;
  readonly candidate: boolean;
  readonly alone: {
    readonly decision: 'delete' | 'replace' | 'none';
    readonly instanceTypes: readonly string[];
    readonly savingsCentsPerHour: number;
    readonly requiredCentsPerHour: number;
  };
  readonly refusals: readonly PlannedRefusal[];
}

export interface NodeCoverage {
  readonly commitments: readonly string[];
  /** What the cluster would cost less without this node alone; at most its price. */
  readonly savedCentsPerHour: number;
}

export interface PlannedRefusal {
  readonly code: string;
  readonly message: string;
  readonly [detail: string]: unknown;
}
