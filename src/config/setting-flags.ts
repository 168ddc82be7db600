import type { ControllerSettings } from './controller-settings.ts';
import {
  centsRange,
  durationSetting,
  integerSetting,
  numberSetting,
  positiveDuration,
  type SettingType,
  trueOrFalse,
} from './setting-types.ts';

/** A setting that a flag or an environment variable can change. */
export interface SettingFlag {
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  readonly allowed: string;
  /** The flag may have no value, and is then true. */
  readonly valueOptional: boolean;
  /** Returns undefined if the text is not allowed. */
  read(text: string): Partial<ControllerSettings> | undefined;
  /** The value as a user would write it. */
  show(settings: ControllerSettings): string;
}

interface SettingFlagSketch<T> {
  readonly flag: string;
  /** Only if an RFC names one; by default derived from the flag. */
  readonly env?: string;
  readonly help: string;
  readonly kind: SettingType<T>;
  get(settings: ControllerSettings): T;
  set(value: T): Partial<ControllerSettings>;
}

function define<T>({ flag, env, help, kind, get, set }: SettingFlagSketch<T>): SettingFlag {
  return {
    flag,
    env: env ?? `DECANT_${flag.toUpperCase().replaceAll('-', '_')}`,
    help,
    allowed: kind.allowed,
    valueOptional: kind.read('true') !== undefined,
    read(text) {
      const value = kind.read(text);
      return value === undefined ? undefined : set(value);
    },
    show: (settings) => kind.show(get(settings)),
  };
}

/** In the order of docs/configuration.md. */
export const SETTING_FLAGS: readonly SettingFlag[] = [
  define({
    flag: 'scaledown-utilization-threshold',
    env: 'SCALE_DOWN_UTILIZATION_THRESHOLD',
    help: 'Leave nodes with a higher utilization alone; 1 turns it off',
    kind: numberSetting(0, 1),
    get: ({ utilizationThreshold }) => utilizationThreshold,
    set: (utilizationThreshold) => ({ utilizationThreshold }),
  }),
  define({
    flag: 'node-base-cost',
    help: 'Disruption cost of an empty node',
    kind: numberSetting(0),
    get: ({ nodeBaseCost }) => nodeBaseCost,
    set: (nodeBaseCost) => ({ nodeBaseCost }),
  }),
  define({
    flag: 'ownerless-pods-block',
    help: 'Keep nodes with pods that no controller would recreate',
    kind: trueOrFalse,
    get: ({ ownerlessPodsBlock }) => ownerlessPodsBlock,
    set: (ownerlessPodsBlock) => ({ ownerlessPodsBlock }),
  }),
  define({
    flag: 'honor-do-not-evict',
    help: 'Honor karpenter.sh/do-not-evict like do-not-disrupt',
    kind: trueOrFalse,
    get: ({ honorDoNotEvict }) => honorDoNotEvict,
    set: (honorDoNotEvict) => ({ honorDoNotEvict }),
  }),
  define({
    flag: 'honor-safe-to-evict',
    help: 'Honor safe-to-evict: "false", the annotation of cluster-autoscaler',
    kind: trueOrFalse,
    get: ({ honorSafeToEvict }) => honorSafeToEvict,
    set: (honorSafeToEvict) => ({ honorSafeToEvict }),
  }),
  define({
    flag: 'local-data-blocks',
    help: 'Keep nodes with pods that have hostPath or emptyDir data',
    kind: trueOrFalse,
    get: ({ localDataBlocks }) => localDataBlocks,
    set: (localDataBlocks) => ({ localDataBlocks }),
  }),
  define({
    flag: 'shield-destinations',
    help: 'Move no pods to nodes within their own consolidateAfter window',
    kind: trueOrFalse,
    get: ({ shieldDestinations }) => shieldDestinations,
    set: (shieldDestinations) => ({ shieldDestinations }),
  }),
  define({
    flag: 'min-node-lifetime',
    help: 'Keep younger nodes; if given, also in pools that set consolidateAfter',
    kind: durationSetting,
    get: ({ minNodeLifetimeMs }) => minNodeLifetimeMs,
    set: (minNodeLifetimeMs) => ({ minNodeLifetimeMs, minNodeLifetimeForAll: true }),
  }),
  define({
    flag: 'stabilization-window',
    help: 'Pause after a removal while pods are pending or workloads are not ready',
    kind: durationSetting,
    get: ({ stabilizationWindowMs }) => stabilizationWindowMs,
    set: (stabilizationWindowMs) => ({ stabilizationWindowMs }),
  }),
  define({
    flag: 'peak-window',
    help: 'Leave room on destinations for the highest requests of this time',
    kind: durationSetting,
    get: ({ peakWindowMs }) => peakWindowMs,
    set: (peakWindowMs) => ({ peakWindowMs }),
  }),
  define({
    flag: 'polling-period',
    help: 'Time between passes while the cluster changes',
    kind: positiveDuration,
    get: ({ pollingPeriodMs }) => pollingPeriodMs,
    set: (pollingPeriodMs) => ({ pollingPeriodMs }),
  }),
  define({
    flag: 'max-replacements',
    help: 'New nodes that one command may launch (plan uses 5 unless this is given)',
    kind: integerSetting(1),
    get: ({ maxReplacements }) => maxReplacements,
    set: (maxReplacements) => ({ maxReplacements }),
  }),
  define({
    flag: 'node-surcharge',
    help: 'Cents per hour that every node costs beyond its price, such as licenses',
    kind: numberSetting(0),
    get: ({ nodeSurchargeCents }) => nodeSurchargeCents,
    set: (nodeSurchargeCents) => ({ nodeSurchargeCents }),
  }),
  define({
    flag: 'spot-to-spot-min-types',
    help: 'Cheaper instance types that a spot-to-spot replacement needs',
    kind: integerSetting(1),
    get: ({ spotToSpotTypes }) => spotToSpotTypes,
    set: (spotToSpotTypes) => ({ spotToSpotTypes }),
  }),
  define({
    flag: 'spot-to-spot-shrink',
    help: 'Accept fewer instance types if the savings threshold is a large part of the price',
    kind: trueOrFalse,
    get: ({ spotToSpotShrink }) => spotToSpotShrink,
    set: (spotToSpotShrink) => ({ spotToSpotShrink }),
  }),
  define({
    flag: 'destination-lifetime',
    help: 'Count savings less if pods would move to nodes that will not last',
    kind: trueOrFalse,
    get: ({ destinationLifetime }) => destinationLifetime,
    set: (destinationLifetime) => ({ destinationLifetime }),
  }),
  define({
    flag: 'spot-interruption-rate',
    help: 'Interruptions per spot node and hour, for --destination-lifetime',
    kind: numberSetting(0),
    get: ({ spotInterruptionsPerHour }) => spotInterruptionsPerHour,
    set: (spotInterruptionsPerHour) => ({ spotInterruptionsPerHour }),
  }),
  define({
    flag: 'max-workload-evictions',
    help: 'Evictions per workload within the window; 0 for no limit',
    kind: integerSetting(0),
    get: ({ maxWorkloadEvictions }) => maxWorkloadEvictions,
    set: (maxWorkloadEvictions) => ({ maxWorkloadEvictions }),
  }),
  define({
    flag: 'workload-eviction-window',
    help: 'Window of --max-workload-evictions',
    kind: durationSetting,
    get: ({ workloadEvictionWindowMs }) => workloadEvictionWindowMs,
    set: (workloadEvictionWindowMs) => ({ workloadEvictionWindowMs }),
  }),
  define({
    flag: 'pool-cooldown',
    help: 'Pause between commands of a pool',
    kind: durationSetting,
    get: ({ poolCooldownMs }) => poolCooldownMs,
    set: (poolCooldownMs) => ({ poolCooldownMs }),
  }),
  define({
    flag: 'eviction-price',
    help: 'Cents per unit of disruption cost; a move waits until waiting has cost as much; 0 for no wait',
    kind: numberSetting(0),
    get: ({ evictionPriceCents }) => evictionPriceCents,
    set: (evictionPriceCents) => ({ evictionPriceCents }),
  }),
  define({
    flag: 'steer',
    help: 'Let nodes of waiting moves empty themselves: soft taint, and pod-deletion-cost for scale-in',
    kind: trueOrFalse,
    get: ({ steer }) => steer,
    set: (steer) => ({ steer }),
  }),
  define({
    flag: 'rollouts',
    help: 'Roll pods that ask for it instead of evicting them',
    kind: trueOrFalse,
    get: ({ rollouts }) => rollouts,
    set: (rollouts) => ({ rollouts }),
  }),
  define({
    flag: 'adaptive-threshold',
    help: 'Adapt savings thresholds between these cents, such as 0.1..5; or off',
    kind: centsRange,
    get: ({ adaptiveThreshold }) => adaptiveThreshold,
    set: (adaptiveThreshold) => ({ adaptiveThreshold }),
  }),
  define({
    flag: 'adaptive-target',
    help: 'Evictions per pod and day above which an adaptive threshold rises',
    kind: numberSetting(0),
    get: ({ adaptiveTarget }) => adaptiveTarget,
    set: (adaptiveTarget) => ({ adaptiveTarget }),
  }),
  define({
    flag: 'adaptive-factor',
    help: 'Factor by which an adaptive threshold rises',
    kind: numberSetting(1, 100),
    get: ({ adaptiveFactor }) => adaptiveFactor,
    set: (adaptiveFactor) => ({ adaptiveFactor }),
  }),
  define({
    flag: 'adaptive-step',
    help: 'Cents by which an adaptive threshold falls while costs do not',
    kind: numberSetting(0.01, 100),
    get: ({ adaptiveStepCents }) => adaptiveStepCents,
    set: (adaptiveStepCents) => ({ adaptiveStepCents }),
  }),
  define({
    flag: 'adaptive-window',
    help: 'Window for counting evictions, and time before an adaptive threshold falls',
    kind: positiveDuration,
    get: ({ adaptiveWindowMs }) => adaptiveWindowMs,
    set: (adaptiveWindowMs) => ({ adaptiveWindowMs }),
  }),
];
