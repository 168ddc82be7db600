import { DEFAULT_SETTINGS } from '../engine/settings.ts';
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
  /** One pass over a snapshot uses it; the others are for a controller that acts over time. */
  readonly isOfPlan: boolean;
  /** The flag may have no value, and is then true. */
  readonly valueOptional: boolean;
  /** Returns undefined if the text is not allowed. */
  read(text: string): Partial<ControllerSettings> | undefined;
  /** The value as a user would write it. */
  show(settings: ControllerSettings): string;
}

/** `env`: only if an RFC names one; by default derived from the flag. `implied`: what giving the flag sets besides. */
function define<K extends keyof ControllerSettings>(
  flag: string,
  key: K,
  kind: SettingType<ControllerSettings[K]>,
  help: string,
  { env, implied }: { readonly env?: string; readonly implied?: Partial<ControllerSettings> } = {},
): SettingFlag {
  return {
    flag,
    env: env ?? `DECANT_${flag.toUpperCase().replaceAll('-', '_')}`,
    help,
    allowed: kind.allowed,
    isOfPlan: key in DEFAULT_SETTINGS,
    valueOptional: kind.read('true') !== undefined,
    read(text) {
      const value = kind.read(text);
      return value === undefined ? undefined : { [key]: value, ...implied };
    },
    show: (settings) => kind.show(settings[key]),
  };
}

/** In the order of docs/settings.md. */
export const SETTING_FLAGS: readonly SettingFlag[] = [
  define(
    'scaledown-utilization-threshold',
    'utilizationThreshold',
    numberSetting(0, 1),
    'Keep nodes with a higher utilization; 1 turns it off',
    { env: 'SCALE_DOWN_UTILIZATION_THRESHOLD' },
  ),
  define('node-base-cost', 'nodeBaseCost', numberSetting(0), 'Disruption cost of an empty node'),
  define(
    'ownerless-pods-block',
    'ownerlessPodsBlock',
    trueOrFalse,
    'Keep nodes with pods that no controller would recreate',
  ),
  define('honor-do-not-evict', 'honorDoNotEvict', trueOrFalse, 'Honor karpenter.sh/do-not-evict like do-not-disrupt'),
  define(
    'honor-safe-to-evict',
    'honorSafeToEvict',
    trueOrFalse,
    'Honor safe-to-evict: "false", the annotation of cluster-autoscaler',
  ),
  define(
    'local-data-blocks',
    'localDataBlocks',
    trueOrFalse,
    'Keep nodes with pods that have hostPath or emptyDir data',
  ),
  define(
    'shield-destinations',
    'shieldDestinations',
    trueOrFalse,
    'Move no pods to nodes within their own consolidateAfter window',
  ),
  define(
    'min-node-lifetime',
    'minNodeLifetimeMs',
    durationSetting,
    'Keep younger nodes; if given, also in pools that set consolidateAfter',
    { implied: { minNodeLifetimeForAll: true } },
  ),
  define(
    'stabilization-window',
    'stabilizationWindowMs',
    durationSetting,
    'Pause after a removal while pods are pending or workloads are not ready',
  ),
  define(
    'peak-window',
    'peakWindowMs',
    durationSetting,
    'Keep room on destinations for the peak of requests in this time',
  ),
  define(
    'job-peak-window',
    'jobPeakWindowMs',
    durationSetting,
    'The same for pods of Jobs alone, which are likely to come again',
  ),
  define('polling-period', 'pollingPeriodMs', positiveDuration, 'Time between passes while the cluster changes'),
  define(
    'max-replacements',
    'maxReplacements',
    integerSetting(1),
    'New nodes that one command may launch (plan uses 5 unless this is given)',
  ),
  define(
    'node-surcharge',
    'nodeSurchargeCents',
    numberSetting(0),
    'Cents per hour that every node costs beyond its price, such as licenses',
  ),
  define(
    'spot-to-spot-min-types',
    'spotToSpotTypes',
    integerSetting(1),
    'Cheaper instance types that a spot-to-spot replacement needs',
  ),
  define(
    'spot-to-spot-shrink',
    'spotToSpotShrink',
    trueOrFalse,
    'Accept fewer instance types if the savings threshold is a large part of the price',
  ),
  define(
    'destination-lifetime',
    'destinationLifetime',
    trueOrFalse,
    'Count savings less if pods would move to nodes that will not last',
  ),
  define(
    'spot-interruption-rate',
    'spotInterruptionsPerHour',
    numberSetting(0),
    'Interruptions per spot node and hour, for --destination-lifetime',
  ),
  define(
    'max-workload-evictions',
    'maxWorkloadEvictions',
    integerSetting(0),
    'Evictions per workload within the window; 0 for no limit',
  ),
  define('workload-eviction-window', 'workloadEvictionWindowMs', durationSetting, 'Window of --max-workload-evictions'),
  define('pool-cooldown', 'poolCooldownMs', durationSetting, 'Pause between commands of a pool'),
  define(
    'eviction-price',
    'evictionPriceMs',
    durationSetting,
    'Price of an eviction: the cost of an average pod over this time; a move waits until waiting has cost that much (0s: no wait)',
  ),
  define(
    'steer',
    'steer',
    trueOrFalse,
    'Keep new pods off nodes of waiting moves, and scale in their pods first (soft taint, pod-deletion-cost)',
  ),
  define('rollouts', 'rollouts', trueOrFalse, 'Roll annotated pods of Deployments instead of evicting them'),
  define(
    'adaptive-threshold',
    'adaptiveThreshold',
    centsRange,
    'Adapt savings thresholds within this range of cents, such as 0.1..5; or off',
  ),
  define(
    'adaptive-target',
    'adaptiveTarget',
    numberSetting(0),
    'Evictions per pod and day above which an adaptive threshold rises',
  ),
  define('adaptive-factor', 'adaptiveFactor', numberSetting(1, 100), 'Factor by which an adaptive threshold rises'),
  define(
    'adaptive-step',
    'adaptiveStepCents',
    numberSetting(0.01, 100),
    'Cents by which an adaptive threshold falls while costs do not fall',
  ),
  define(
    'adaptive-window',
    'adaptiveWindowMs',
    positiveDuration,
    'Window for counting evictions, and time before an adaptive threshold falls',
  ),
];
