import type { KarpenterOptions } from '../../engine/cluster/karpenter-options.ts';
import type { WorkloadObject } from '../../engine/cluster/objects.ts';
import { karpenterDeployment } from '../../engine/running-karpenter.ts';
import { FieldProblem } from '../field-problem.ts';
import { decodeChoice, object, text } from './field-value.ts';
import { decodeSchedulerConfig } from './scheduler-config.ts';

/** Karpenter's defaults. */
export const DEFAULT_OPTIONS: KarpenterOptions = {
  spotToSpot: false,
  reservedCapacity: true,
  preferences: 'Respect',
  minValues: 'Strict',
};

/** As Karpenter's Deployment says, if it is there; `given` goes before it. */
export function optionsOf(
  workloads: readonly WorkloadObject[],
  given: Partial<KarpenterOptions> = {},
): KarpenterOptions {
  return { ...DEFAULT_OPTIONS, ...karpenterDeployment(workloads)?.karpenter?.options, ...given };
}

/** The `options` of a snapshot: Karpenter's settings, written like its flags. */
export function decodeOptions(value: unknown): KarpenterOptions {
  const options = object(value, 'options') ?? {};
  const gates = featureGates(text(options.featureGates, 'options.featureGates'));
  const nodeOverlays = gates.get('NodeOverlay');
  const capacityBuffers = gates.get('CapacityBuffer');
  const defaultSpread = decodeSchedulerConfig(options.schedulerConfig, 'options.schedulerConfig');
  const managesDeletionCost = gates.get('PodDeletionCostManagement');
  return {
    spotToSpot: gates.get('SpotToSpotConsolidation') ?? DEFAULT_OPTIONS.spotToSpot,
    reservedCapacity: gates.get('ReservedCapacity') ?? DEFAULT_OPTIONS.reservedCapacity,
    preferences: decodeChoice(options.preferencePolicy || 'Respect', ['Respect', 'Ignore'], 'options.preferencePolicy'),
    minValues: decodeChoice(options.minValuesPolicy || 'Strict', ['Strict', 'BestEffort'], 'options.minValuesPolicy'),
    ...(nodeOverlays === undefined ? {} : { nodeOverlays }),
    ...(capacityBuffers === undefined ? {} : { capacityBuffers }),
    ...(defaultSpread.length === 0 ? {} : { defaultSpread }),
    ...(managesDeletionCost === undefined ? {} : { managesDeletionCost }),
    ...(FALSE.has(String(options.ignoreDRARequests)) ? { dynamicResources: true } : {}),
  };
}

/** As Go reads them. */
const TRUE: ReadonlySet<string | undefined> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE: ReadonlySet<string | undefined> = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

function featureGates(flags: string): Map<string, boolean> {
  const gates = new Map<string, boolean>();
  for (const flag of flags.split(',').map((each) => each.trim())) {
    if (flag === '') continue;
    const [name, value, ...rest] = flag.split('=');
    if ((!TRUE.has(value) && !FALSE.has(value)) || rest.length > 0) {
      throw new FieldProblem(
        'options.featureGates',
        flags,
        'gates such as "SpotToSpotConsolidation=true,ReservedCapacity=false"',
      );
    }
    gates.set(name.trim(), TRUE.has(value));
  }
  return gates;
}
