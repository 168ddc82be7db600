import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import { FieldProblem } from '../field-problem.ts';
import { object, oneOf, text } from './field-value.ts';
import { decodeSchedulerConfig } from './scheduler-config.ts';

/** What Karpenter runs with when nobody sets anything. */
export const DEFAULT_OPTIONS: KarpenterOptions = {
  spotToSpot: false,
  reservedCapacity: true,
  preferences: 'Respect',
  minValues: 'Strict',
};

/** The `options` of a snapshot: the settings of the Karpenter process, written as its own flags are. */
export function decodeOptions(value: unknown): KarpenterOptions {
  const options = object(value, 'options') ?? {};
  const gates = featureGates(text(options.featureGates, 'options.featureGates'));
  const nodeOverlays = gates.get('NodeOverlay');
  const capacityBuffers = gates.get('CapacityBuffer');
  const defaultSpread = decodeSchedulerConfig(parsed(options.schedulerConfig), 'options.schedulerConfig');
  const managesDeletionCost = gates.get('PodDeletionCostManagement');
  return {
    spotToSpot: gates.get('SpotToSpotConsolidation') ?? DEFAULT_OPTIONS.spotToSpot,
    reservedCapacity: gates.get('ReservedCapacity') ?? DEFAULT_OPTIONS.reservedCapacity,
    preferences: oneOf(options.preferencePolicy || 'Respect', ['Respect', 'Ignore'], 'options.preferencePolicy'),
    minValues: oneOf(options.minValuesPolicy || 'Strict', ['Strict', 'BestEffort'], 'options.minValuesPolicy'),
    ...(nodeOverlays === undefined ? {} : { nodeOverlays }),
    ...(capacityBuffers === undefined ? {} : { capacityBuffers }),
    ...(defaultSpread.length === 0 ? {} : { defaultSpread }),
    ...(managesDeletionCost === undefined ? {} : { managesDeletionCost }),
  };
}

/** Karpenter takes text; JSON is read here, YAML where flags are. */
function parsed(config: unknown): unknown {
  if (typeof config !== 'string') return config;
  try {
    return config === '' ? undefined : JSON.parse(config);
  } catch {
    throw new FieldProblem('options.schedulerConfig', config, 'an object, or JSON');
  }
}

function featureGates(flags: string): Map<string, boolean> {
  const gates = new Map<string, boolean>();
  for (const flag of flags.split(',').map((each) => each.trim())) {
    if (flag === '') continue;
    const [name, value, ...rest] = flag.split('=');
    if ((value !== 'true' && value !== 'false') || rest.length > 0) {
      throw new FieldProblem(
        'options.featureGates',
        flags,
        'gates such as "SpotToSpotConsolidation=true,ReservedCapacity=false"',
      );
    }
    gates.set(name.trim(), value === 'true');
  }
  return gates;
}
