import type { TopologySpread } from './objects.ts';

/** Settings of the Karpenter process that a simulation depends on. */
export interface KarpenterOptions {
  readonly spotToSpot: boolean;
  readonly reservedCapacity: boolean;
  readonly preferences: 'Respect' | 'Ignore';
  readonly minValues: 'Strict' | 'BestEffort';
  /** Spread constraints of pods that have none (--scheduler-config). */
  readonly defaultSpread?: readonly TopologySpread[];
  /** Feature gate PodDeletionCostManagement: Karpenter writes pod-deletion-cost itself. */
  readonly managesDeletionCost?: boolean;
  /** Feature gate NodeOverlay; undefined if unknown. */
  readonly nodeOverlays?: boolean;
  /** Feature gate CapacityBuffer; undefined if unknown. */
  readonly capacityBuffers?: boolean;
}
