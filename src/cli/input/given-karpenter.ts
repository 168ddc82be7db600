import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';

/** Flags that repeat settings of Karpenter itself. */
export interface KarpenterFlags {
  readonly spotToSpot?: boolean;
  readonly preferencePolicy?: KarpenterOptions['preferences'];
  readonly schedulerConfig?: string;
}

/** Settings of Karpenter that were given by flag; they override those found in the cluster or a snapshot. */
export async function givenKarpenter(flags: KarpenterFlags): Promise<Partial<KarpenterOptions>> {
  const { spotToSpot, preferencePolicy: preferences, schedulerConfig } = flags;
  return {
    ...(spotToSpot === undefined ? {} : { spotToSpot }),
    ...(preferences === undefined ? {} : { preferences }),
    ...(schedulerConfig === undefined ? {} : { defaultSpread: await spreadOf(schedulerConfig) }),
  };
}

/** The YAML reader is loaded only if needed. */
async function spreadOf(text: string): Promise<KarpenterOptions['defaultSpread']> {
  const { defaultSpreadOf } = await import('../flags/scheduler-config.ts');
  return defaultSpreadOf(text);
}
