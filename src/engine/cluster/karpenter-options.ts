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
  /** `--ignore-dra-requests=false`: pods with ResourceClaims are placed where the devices are. */
  readonly dynamicResources?: boolean;
  /** Feature gate CapacityBuffer; undefined if unknown. */
  readonly capacityBuffers?: boolean;
}

/** Karpenter, as its Deployment starts it. */
export interface KarpenterProcess {
  /** undefined: neither image nor label says. */
  readonly version?: string;
  /** Those that its arguments and environment give. */
  readonly options: Partial<KarpenterOptions>;
  /** Settings that could not be read. */
  readonly unread?: readonly string[];
}

/** What Karpenter's NodePool CRD has: what came with 1.15, with 1.14, or neither. */
export type KarpenterSchema = '1.15' | '1.14' | 'older';
