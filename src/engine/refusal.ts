import type { AutoPercent } from './disruption/auto-percent.ts';

/**
 * Why not, as data: a code and the numbers behind it. `explain.ts` is the only place that turns one
 * into words; metrics use the code.
 */
export type Refusal = NodeRefusal | MoveRefusal;

/** A node that is no candidate. */
export type NodeRefusal =
  | { readonly code: 'not-managed' }
  | { readonly code: 'no-node' }
  /** An object of the node, of a pod on it or of the pod's storage. */
  | { readonly code: 'undecodable-object'; readonly object: string; readonly problem: string }
  | { readonly code: 'not-initialized' }
  | { readonly code: 'deleting' }
  /** By Karpenter's node repair, in place. */
  | { readonly code: 'rebooting' }
  | { readonly code: 'node-annotation' }
  | { readonly code: 'no-node-pool-label' }
  | { readonly code: 'unknown-node-pool'; readonly nodePool: string }
  | { readonly code: 'pod-annotation'; readonly pod: string; readonly annotation: string; readonly value: string }
  | { readonly code: 'pod-disruption-budget'; readonly pod: string; readonly budget: string }
  | { readonly code: 'several-disruption-budgets'; readonly pod: string; readonly budgets: readonly string[] }
  | { readonly code: 'ownerless-pod'; readonly pod: string }
  /** Only this node can mount the volume that the pod's claim is bound to. */
  | { readonly code: 'local-volume'; readonly pod: string; readonly claim: string; readonly volume: string }
  /** `volume`: as the pod names it, or the PersistentVolume. */
  | {
      readonly code: 'local-data';
      readonly pod: string;
      readonly kind: 'hostPath' | 'emptyDir';
      readonly volume: string;
    }
  /** It has no pods to move, but `pods` of these CapacityBuffers count on its room. */
  | { readonly code: 'capacity-buffer'; readonly buffers: readonly string[]; readonly pods: number }
  | { readonly code: 'static-node-pool'; readonly nodePool: string }
  | { readonly code: 'unknown-instance-type'; readonly instanceType: string }
  | { readonly code: 'unpriced'; readonly instanceType: string; readonly zone: string; readonly capacityType: string }
  | { readonly code: 'missing-label'; readonly label: string }
  | { readonly code: 'consolidation-disabled'; readonly nodePool: string }
  | { readonly code: 'policy-when-empty'; readonly nodePool: string; readonly pods: number }
  | { readonly code: 'methods-disabled'; readonly nodePool: string; readonly pods: number }
  /** It could go, but not by itself. */
  | { readonly code: 'single-node-disabled'; readonly nodePool: string; readonly policy: string }
  | { readonly code: 'emptiness-disabled'; readonly nodePool: string }
  | { readonly code: 'minimum-lifetime'; readonly waitMs: number }
  | { readonly code: 'not-consolidatable'; readonly waitMs: number }
  | { readonly code: 'empty-ttl'; readonly waitMs: number }
  | { readonly code: 'grace-period'; readonly waitMs: number }
  | { readonly code: 'utilization'; readonly utilization: number; readonly threshold: number };

/** A move that would not do. */
export type MoveRefusal =
  | { readonly code: 'no-ready-node-pool' }
  | { readonly code: 'pods-unplaceable'; readonly pods: readonly string[]; readonly others: number }
  /** Pods of these CapacityBuffers have room now, and would have none. */
  | { readonly code: 'capacity-buffer-room'; readonly buffers: readonly string[] }
  /** The pool would have less free than its policy keeps. `of`: the capacity that a percentage refers to. */
  | {
      readonly code: 'headroom';
      readonly nodePool: string;
      readonly resource: 'cpu' | 'memory' | 'pods';
      readonly free: number;
      readonly required: number;
      readonly of: number | null;
    }
  | { readonly code: 'min-nodes'; readonly nodePool: string; readonly nodes: number; readonly required: number }
  /** Too many of a workload's pods would run on one node. */
  | {
      readonly code: 'workload-share';
      readonly nodePool: string;
      readonly workload: string;
      readonly node: string;
      readonly replicas: number;
      readonly all: number;
      readonly maxShare: number;
    }
  | { readonly code: 'relies-on-uninitialized-node'; readonly pods: readonly string[]; readonly others: number }
  | { readonly code: 'too-many-replacements'; readonly replacements: number; readonly allowed: number }
  | { readonly code: 'min-values'; readonly labels: readonly string[] }
  /** null: nothing that fits has an offering at all. */
  | { readonly code: 'not-cheaper'; readonly centsPerHour: number; readonly cheapestCentsPerHour: number | null }
  | { readonly code: 'spot-to-spot-disabled' }
  | { readonly code: 'spot-to-spot-flexibility'; readonly options: number; readonly required: number }
  | {
      readonly code: 'savings-below-percent';
      readonly savingsPercent: number;
      readonly requiredPercent: number;
      /** Set where the percentage was computed: from what, for the node that asks for most. */
      readonly auto?: AutoPercent;
    }
  | {
      readonly code: 'savings-below-threshold';
      readonly savingsCentsPerHour: number;
      readonly requiredCentsPerHour: number;
      readonly disruptionCost: number;
      readonly threshold: number;
      /** What the savings count for where pods would go; set with destinationLifetime where that is less. */
      readonly discountedCentsPerHour?: number;
      /** Nodes of the move, where it is one of several. */
      readonly nodes?: readonly string[];
    }
  | { readonly code: 'balanced-score'; readonly nodePool: string; readonly score: number; readonly required: number }
  | { readonly code: 'budget'; readonly nodePool: string; readonly reason: string }
  /** A removal is not digested yet. */
  | {
      readonly code: 'stabilization';
      readonly waitMs: number;
      readonly pendingPods: number;
      readonly unreadyWorkloads: number;
    }
  /** `pods` would be evicted beside the `before` that were within the window. */
  | {
      readonly code: 'workload-evictions';
      readonly workload: string;
      readonly pods: number;
      readonly before: number;
      readonly allowed: number;
      readonly windowMs: number;
    }
  | { readonly code: 'pool-cooldown'; readonly nodePool: string; readonly waitMs: number }
  /** Waiting has cost less so far than the evictions would. */
  | {
      readonly code: 'not-paid-back';
      readonly forgoneCents: number;
      readonly disruptionCents: number;
      /** Part of the price, before it is doubled: work that evicted Jobs would do again. */
      readonly lostWorkCents: number;
      /** Its pool grew so long ago, and therefore its evictions are priced twice as high; null: they are not. */
      readonly grewAgoMs: number | null;
      readonly waitMs: number;
    };
