import type { AutoPercent } from './disruption/auto-percent.ts';
import type { RolloutObstacle } from './disruption/rollouts.ts';

/**
 * Refusals as data: a code and its numbers. `refusal-text.ts` is the only place that turns one into text; metrics use
 * the code.
 */
export type Refusal = NodeRefusal | MoveRefusal;

/** Why a node is not a candidate. */
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
  /** `rollout`: why it is not rolled instead, if that is offered. */
  | {
      readonly code: 'pod-disruption-budget';
      readonly pod: string;
      readonly budget: string;
      readonly rollout?: RolloutObstacle;
    }
  | {
      readonly code: 'several-disruption-budgets';
      readonly pod: string;
      readonly budgets: readonly string[];
      readonly rollout?: RolloutObstacle;
    }
  /** Its annotation asks for a rollout. */
  | { readonly code: 'no-rollout'; readonly pod: string; readonly rollout: RolloutObstacle }
  | { readonly code: 'ownerless-pod'; readonly pod: string }
  /** Only this node can mount the volume of the pod's claim. */
  | { readonly code: 'local-volume'; readonly pod: string; readonly claim: string; readonly volume: string }
  /** `volume`: the pod's name of it, or the PersistentVolume. */
  | {
      readonly code: 'local-data';
      readonly pod: string;
      readonly kind: 'hostPath' | 'emptyDir';
      readonly volume: string;
    }
  /** It has no pods to move, but `pods` of these CapacityBuffers need its capacity. */
  | { readonly code: 'capacity-buffer'; readonly buffers: readonly string[]; readonly pods: number }
  | { readonly code: 'static-node-pool'; readonly nodePool: string }
  | { readonly code: 'unknown-instance-type'; readonly instanceType: string }
  | { readonly code: 'unpriced'; readonly instanceType: string; readonly zone: string; readonly capacityType: string }
  | { readonly code: 'missing-label'; readonly label: string }
  | { readonly code: 'consolidation-disabled'; readonly nodePool: string }
  | { readonly code: 'policy-when-empty'; readonly nodePool: string; readonly pods: number }
  | { readonly code: 'methods-disabled'; readonly nodePool: string; readonly pods: number }
  /** It may go, but not by itself. */
  | { readonly code: 'single-node-disabled'; readonly nodePool: string; readonly policy: string }
  | { readonly code: 'emptiness-disabled'; readonly nodePool: string }
  | { readonly code: 'minimum-lifetime'; readonly waitMs: number }
  | { readonly code: 'not-consolidatable'; readonly waitMs: number }
  | { readonly code: 'empty-ttl'; readonly waitMs: number }
  | { readonly code: 'grace-period'; readonly waitMs: number }
  | { readonly code: 'utilization'; readonly utilization: number; readonly threshold: number };

/** Why there is no move. */
export type MoveRefusal =
  | { readonly code: 'no-ready-node-pool' }
  | { readonly code: 'pods-unplaceable'; readonly pods: readonly string[]; readonly others: number }
  /** Pods of these CapacityBuffers fit now, and would not after the move. */
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
  /** null if no offering fits. */
  | { readonly code: 'not-cheaper'; readonly centsPerHour: number; readonly cheapestCentsPerHour: number | null }
  /** Paid whether used or not: the cluster would save less than the price of the nodes. */
  | {
      readonly code: 'covered-by-commitment';
      readonly commitments: readonly string[];
      readonly centsPerHour: number;
      readonly savedCentsPerHour: number;
    }
  | { readonly code: 'spot-to-spot-disabled' }
  | { readonly code: 'spot-to-spot-flexibility'; readonly options: number; readonly required: number }
  | {
      readonly code: 'savings-below-percent';
      readonly savingsPercent: number;
      readonly requiredPercent: number;
      /** Inputs of an automatic percentage, for the node that requires most. */
      readonly auto?: AutoPercent;
    }
  | {
      readonly code: 'savings-below-threshold';
      readonly savingsCentsPerHour: number;
      readonly requiredCentsPerHour: number;
      readonly disruptionCost: number;
      readonly threshold: number;
      /** The savings weighted by the destinations' lifetime; set with destinationLifetime if less. */
      readonly discountedCentsPerHour?: number;
      /** Nodes of a multi-node move. */
      readonly nodes?: readonly string[];
    }
  | { readonly code: 'balanced-score'; readonly nodePool: string; readonly score: number; readonly required: number }
  | { readonly code: 'budget'; readonly nodePool: string; readonly reason: string }
  /** After a recent removal. */
  | {
      readonly code: 'stabilization';
      readonly waitMs: number;
      readonly pendingPods: number;
      readonly unreadyWorkloads: number;
    }
  /** `pods` would be evicted besides the `before` within the window. */
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
      /** Part of the price: work that evicted Jobs would repeat. */
      readonly lostWorkCents: number;
      readonly waitMs: number;
    };
