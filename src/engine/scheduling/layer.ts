import type { Spend } from '../cost/cluster-cost.ts';
import type { Claim, ClaimState } from './claim.ts';
import type { PodShape } from './pod-shapes.ts';

/** A pod on an existing node. */
export interface PlacedPod {
  readonly pod: number;
  readonly row: number;
  readonly shape: PodShape;
  /** It had no place, and may use capacity kept free for such pods. */
  readonly usesReserve: boolean;
}

/** The changes of a simulation, to undo them. */
export interface Layer {
  readonly rows: readonly number[];
  /** Length of the list of placements before it. */
  readonly placementsBefore: number;
  readonly countsBefore: number;
  readonly spendBefore: Spend | undefined;
  /** Its claims; no later pod is placed on them, unless the settings of its run say so. */
  readonly claims: readonly Claim[];
  /** Claims of layers below that its pods joined, as they were before. */
  readonly joined: readonly (readonly [Claim, ClaimState])[];
}
