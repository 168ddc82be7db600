import type { ControllerSettings } from './controller-settings.ts';
import {
  centsRange,
  duration,
  number,
  type SwitchKind,
  trueOrFalse,
  wholeNumber,
  windowOfTime,
} from './switch-kinds.ts';

/** A setting of the process that a flag or a variable of the environment can change. */
export interface Switch {
  readonly flag: string;
  readonly env: string;
  readonly help: string;
  readonly allowed: string;
  /** May stand alone on the command line, and is then true. */
  readonly valueOptional: boolean;
  /** What the text changes; undefined if it is not allowed. */
  read(text: string): Partial<ControllerSettings> | undefined;
  /** Its value, as a user would write it. */
  show(switches: ControllerSettings): string;
}

interface SwitchSketch<T> {
  readonly flag: string;
  /** Where a document names one; otherwise it follows from the flag. */
  readonly env?: string;
  readonly help: string;
  readonly kind: SwitchKind<T>;
  get(switches: ControllerSettings): T;
  set(value: T): Partial<ControllerSettings>;
}

function define<T>({ flag, env, help, kind, get, set }: SwitchSketch<T>): Switch {
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
    show: (switches) => kind.show(get(switches)),
  };
}

/** In the order of docs/configuration.md. */
export const SWITCHES: readonly Switch[] = [
  define({
    flag: 'scaledown-utilization-threshold',
    env: 'SCALE_DOWN_UTILIZATION_THRESHOLD',
    help: 'nodes used more than this are left alone; 1 turns it off',
    kind: number(0, 1),
    get: ({ utilizationThreshold }) => utilizationThreshold,
    set: (utilizationThreshold) => ({ utilizationThreshold }),
  }),
  define({
    flag: 'node-base-cost',
    help: 'disruption cost of a node that has nothing on it',
    kind: number(0),
    get: ({ nodeBaseCost }) => nodeBaseCost,
    set: (nodeBaseCost) => ({ nodeBaseCost }),
  }),
  define({
    flag: 'ownerless-pods-block',
    help: 'nodes stay that have pods which nobody would recreate',
    kind: trueOrFalse,
    get: ({ ownerlessPodsBlock }) => ownerlessPodsBlock,
    set: (ownerlessPodsBlock) => ({ ownerlessPodsBlock }),
  }),
  define({
    flag: 'honor-do-not-evict',
    help: 'karpenter.sh/do-not-evict counts beside do-not-disrupt',
    kind: trueOrFalse,
    get: ({ honorDoNotEvict }) => honorDoNotEvict,
    set: (honorDoNotEvict) => ({ honorDoNotEvict }),
  }),
  define({
    flag: 'honor-safe-to-evict',
    help: 'cluster-autoscaler’s annotation safe-to-evict: "false" blocks eviction',
    kind: trueOrFalse,
    get: ({ honorSafeToEvict }) => honorSafeToEvict,
    set: (honorSafeToEvict) => ({ honorSafeToEvict }),
  }),
  define({
    flag: 'local-data-blocks',
    help: 'pods with hostPath or emptyDir data keep their node',
    kind: trueOrFalse,
    get: ({ localDataBlocks }) => localDataBlocks,
    set: (localDataBlocks) => ({ localDataBlocks }),
  }),
  define({
    flag: 'shield-destinations',
    help: 'nothing moves to nodes inside their own consolidateAfter window',
    kind: trueOrFalse,
    get: ({ shieldDestinations }) => shieldDestinations,
    set: (shieldDestinations) => ({ shieldDestinations }),
  }),
  define({
    flag: 'min-node-lifetime',
    help: 'younger nodes stay; once given, also in pools that set consolidateAfter',
    kind: duration,
    get: ({ minNodeLifetimeMs }) => minNodeLifetimeMs,
    set: (minNodeLifetimeMs) => ({ minNodeLifetimeMs, minNodeLifetimeForAll: true }),
  }),
  define({
    flag: 'stabilization-window',
    help: 'pause after a removal while pods are pending or workloads not ready',
    kind: duration,
    get: ({ stabilizationWindowMs }) => stabilizationWindowMs,
    set: (stabilizationWindowMs) => ({ stabilizationWindowMs }),
  }),
  define({
    flag: 'polling-period',
    help: 'between two looks at the cluster while things change',
    kind: windowOfTime,
    get: ({ pollingPeriodMs }) => pollingPeriodMs,
    set: (pollingPeriodMs) => ({ pollingPeriodMs }),
  }),
  define({
    flag: 'max-replacements',
    help: 'new nodes that one command may launch; plan looks at up to 5 unless this is given',
    kind: wholeNumber(1),
    get: ({ maxReplacements }) => maxReplacements,
    set: (maxReplacements) => ({ maxReplacements }),
  }),
  define({
    flag: 'node-surcharge',
    help: 'cents per hour that every node costs beside its price: licences, agents',
    kind: number(0),
    get: ({ nodeSurchargeCents }) => nodeSurchargeCents,
    set: (nodeSurchargeCents) => ({ nodeSurchargeCents }),
  }),
  define({
    flag: 'spot-to-spot-min-types',
    help: 'cheaper types that a spot node needs to be replaced by spot',
    kind: wholeNumber(1),
    get: ({ spotToSpotTypes }) => spotToSpotTypes,
    set: (spotToSpotTypes) => ({ spotToSpotTypes }),
  }),
  define({
    flag: 'spot-to-spot-shrink',
    help: 'fewer types will do where the savings threshold demands much of the price',
    kind: trueOrFalse,
    get: ({ spotToSpotShrink }) => spotToSpotShrink,
    set: (spotToSpotShrink) => ({ spotToSpotShrink }),
  }),
  define({
    flag: 'destination-lifetime',
    help: 'savings count less where pods would go to nodes that do not last',
    kind: trueOrFalse,
    get: ({ destinationLifetime }) => destinationLifetime,
    set: (destinationLifetime) => ({ destinationLifetime }),
  }),
  define({
    flag: 'spot-interruption-rate',
    help: 'interruptions of a spot node per hour, for --destination-lifetime',
    kind: number(0),
    get: ({ spotInterruptionsPerHour }) => spotInterruptionsPerHour,
    set: (spotInterruptionsPerHour) => ({ spotInterruptionsPerHour }),
  }),
  define({
    flag: 'max-workload-evictions',
    help: 'evictions of one workload within the window; 0 is no limit',
    kind: wholeNumber(0),
    get: ({ maxWorkloadEvictions }) => maxWorkloadEvictions,
    set: (maxWorkloadEvictions) => ({ maxWorkloadEvictions }),
  }),
  define({
    flag: 'workload-eviction-window',
    help: 'the window of --max-workload-evictions',
    kind: duration,
    get: ({ workloadEvictionWindowMs }) => workloadEvictionWindowMs,
    set: (workloadEvictionWindowMs) => ({ workloadEvictionWindowMs }),
  }),
  define({
    flag: 'pool-cooldown',
    help: 'pause between commands of one pool',
    kind: duration,
    get: ({ poolCooldownMs }) => poolCooldownMs,
    set: (poolCooldownMs) => ({ poolCooldownMs }),
  }),
  define({
    flag: 'eviction-price',
    help: 'cents per unit of disruption cost; a move waits until waiting has cost as much; 0: it does not',
    kind: number(0),
    get: ({ evictionPriceCents }) => evictionPriceCents,
    set: (evictionPriceCents) => ({ evictionPriceCents }),
  }),
  define({
    flag: 'adaptive-threshold',
    help: 'savings thresholds find their own level between these cents; off: they stay as they are',
    kind: centsRange,
    get: ({ adaptiveThreshold }) => adaptiveThreshold,
    set: (adaptiveThreshold) => ({ adaptiveThreshold }),
  }),
  define({
    flag: 'adaptive-target',
    help: 'evictions per pod and day above which an adaptive threshold rises',
    kind: number(0),
    get: ({ adaptiveTarget }) => adaptiveTarget,
    set: (adaptiveTarget) => ({ adaptiveTarget }),
  }),
  define({
    flag: 'adaptive-factor',
    help: 'by which it rises',
    kind: number(1, 100),
    get: ({ adaptiveFactor }) => adaptiveFactor,
    set: (adaptiveFactor) => ({ adaptiveFactor }),
  }),
  define({
    flag: 'adaptive-step',
    help: 'cents by which it falls while costs do not',
    kind: number(0.01, 100),
    get: ({ adaptiveStepCents }) => adaptiveStepCents,
    set: (adaptiveStepCents) => ({ adaptiveStepCents }),
  }),
  define({
    flag: 'adaptive-window',
    help: 'over which its evictions are counted, and which passes before it falls',
    kind: windowOfTime,
    get: ({ adaptiveWindowMs }) => adaptiveWindowMs,
    set: (adaptiveWindowMs) => ({ adaptiveWindowMs }),
  }),
];
