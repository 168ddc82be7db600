import type { PolicyObject } from '../config/policy-object.ts';
import type { Problem } from '../config/problem.ts';

/** What `decant adopt` says about one NodePool. */
export interface Adoption {
  readonly pool: string;
  readonly state: PoolState;
  /** What is different afterwards and what is not, in sentences. */
  readonly changes: readonly string[];
  /** The policy under which the pool's consolidation goes on as it is; none if it has one, or nothing to go on with. */
  readonly preserving?: ConsolidationPolicy;
  /** The same pool under the profile that we recommend. */
  readonly calm?: ConsolidationPolicy;
  /** Takes the pool from Karpenter to us, and back. Both are merge patches of the NodePool. */
  readonly handOver?: MergePatch;
  readonly giveBack?: MergePatch;
}

export type PoolState =
  /** Karpenter consolidates it today. */
  | { readonly code: 'consolidated' }
  /** Nobody does: it says Never, or a budget allows nothing. */
  | { readonly code: 'off'; readonly by: 'never' | 'budget' }
  /** It has a fixed number of nodes, which nobody consolidates. */
  | { readonly code: 'static'; readonly replicas: number }
  /** A ConsolidationPolicy selects it already. */
  | { readonly code: 'governed'; readonly policy: string; readonly karpenterStill: boolean }
  | { readonly code: 'conflict'; readonly policies: readonly string[] }
  | { readonly code: 'deleting' }
  | { readonly code: 'invalid'; readonly problems: readonly Problem[] };

export interface ConsolidationPolicy {
  readonly apiVersion: string;
  readonly kind: 'ConsolidationPolicy';
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface MergePatch {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string | null>>;
    readonly annotations?: Readonly<Record<string, string | null>>;
  };
  readonly spec?: { readonly disruption: Readonly<Record<string, unknown>> };
}

/** A NodePool or a ConsolidationPolicy, with what else adoption asks. */
export interface AdoptionObject extends PolicyObject {
  readonly labels: Readonly<Record<string, string>>;
  /** What the pool said before it was handed over, if it was by our patch. */
  readonly consolidateAfterBefore?: string;
  readonly terminating: boolean;
}
