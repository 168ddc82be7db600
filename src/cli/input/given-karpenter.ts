import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import type { PlanningOptions } from '../flags/planning.ts';
import { defaultSpreadOf } from '../flags/scheduler-config.ts';

/** Flags that repeat settings of Karpenter itself. */
export type KarpenterFlags = Pick<PlanningOptions, 'spotToSpot' | 'preferencePolicy' | 'schedulerConfig'>;

/** Settings of Karpenter that were given by flag; they override those found in the cluster or a snapshot. */
export function givenKarpenter(flags: KarpenterFlags): Partial<KarpenterOptions> {
  const { spotToSpot, preferencePolicy: preferences, schedulerConfig } = flags;
  return {
    ...(spotToSpot === undefined ? {} : { spotToSpot }),
    ...(preferences === undefined ? {} : { preferences }),
    ...(schedulerConfig === undefined ? {} : { defaultSpread: defaultSpreadOf(schedulerConfig) }),
  };
}
