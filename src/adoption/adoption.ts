import type { PolicyObject } from '../config/policy-object.ts';
import type { Problem } from '../config/problem.ts';

/** The result of `decant adopt` for one NodePool. */
export interface Adoption {
  readonly pool: string;
  readonly state: PoolState;
  /** What changes and what does not, as sentences. */
  readonly changes: readonly string[];
  /** A policy that continues the pool's consolidation as is; none if it has one, or nothing to continue. */
  readonly preserving?: ConsolidationPolicy;
  /** The same pool under the recommended profile. */
  readonly calm?: ConsolidationPolicy;
  /** Hands the pool over from Karpenter to Decant, and back. Both are merge patches of the NodePool. */
  readonly handOver?: MergePatch;
  readonly giveBack?: MergePatch;
}

export type PoolState =
  /** Karpenter consolidates it today. */
  | { readonly code: 'consolidated' }
  /** Not consolidated: consolidateAfter is Never, or a budget allows nothing. */
  | { readonly code: 'off'; readonly by: 'never' | 'budget' }
  /** Static pools are never consolidated. */
  | { readonly code: 'static'; readonly replicas: number }
  /** A ConsolidationPolicy already selects it. */
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

/** A NodePool or a ConsolidationPolicy, with further fields for adoption. */
export interface AdoptionObject extends PolicyObject {
  readonly labels: Readonly<Record<string, string>>;
  /** The pool's consolidateAfter before it was handed over by our patch. */
  readonly consolidateAfterBefore?: string;
  readonly terminating: boolean;
}
