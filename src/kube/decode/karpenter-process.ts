import type { KarpenterOptions, KarpenterProcess } from '../../engine/cluster/karpenter-options.ts';
import type { Row } from '../read/json-shape.ts';
import { isAbsent, labels } from './field-value.ts';
import { decodeOptions } from './karpenter-options.ts';
import { LABELS } from './metadata.ts';
import { CONTAINER_ARGS, CONTAINER_ENV, CONTAINER_IMAGE, CONTAINERS, rowsIn } from './pod-spec.ts';

const NAME_LABEL = 'app.kubernetes.io/name';
const VERSION_LABEL = 'app.kubernetes.io/version';

/** `…/karpenter/controller:1.15.0@sha256:…`, `…/karpenter:v1.15.0`. */
const IMAGE = /(?:^|\/)karpenter(?:\/controller)?(?::v?([^@]+))?(?:@.*)?$/;

/** A Deployment's information about Karpenter, if it is Karpenter's: by its image, or by its chart's labels. */
export function karpenterProcess(row: Row): KarpenterProcess | undefined {
  const { [NAME_LABEL]: name, [VERSION_LABEL]: labelled } = labels(row[LABELS], 'metadata.labels');
  const containers = rowsIn(row, CONTAINERS);
  const own = containers.find((c) => IMAGE.test(String(c[CONTAINER_IMAGE] ?? '')));
  if (own === undefined && name !== 'karpenter') return undefined;
  const process = own ?? containers[0];
  const tag = IMAGE.exec(String(process?.[CONTAINER_IMAGE] ?? ''))?.[1];
  const version = [tag, labelled].find((text) => text !== undefined && /^v?\d+\.\d+\.\d+/.test(text)) ?? labelled;
  const settings = process === undefined ? new Map<string, string>() : settingsOf(process);
  return { ...(version === undefined ? {} : { version }), ...optionsIn(settings) };
}

/** By flag without dashes. As in Karpenter, arguments take precedence over the environment. */
function settingsOf(container: Row): ReadonlyMap<string, string> {
  const settings = new Map<string, string>();
  for (const each of listIn(container[CONTAINER_ENV])) {
    const { name, value } = (each ?? {}) as { readonly name?: unknown; readonly value?: unknown };
    if (typeof name === 'string' && typeof value === 'string')
      settings.set(name.toLowerCase().replaceAll('_', '-'), value);
  }
  const args = listIn(container[CONTAINER_ARGS]).map(String);
  for (const [i, arg] of args.entries()) {
    const [, flag, , value] = /^--?([\w-]+)(=(.*))?$/s.exec(arg) ?? [];
    if (flag !== undefined) settings.set(flag, value ?? args[i + 1] ?? '');
  }
  return settings;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Settings that Karpenter itself could not read do not affect the rest. */
function optionsIn(settings: ReadonlyMap<string, string>): Pick<KarpenterProcess, 'options' | 'unread'> {
  const options: Partial<KarpenterOptions>[] = [];
  const unread: string[] = [];
  for (const [flag, name, fields] of SETTINGS) {
    const value = settings.get(flag);
    if (isAbsent(value) || value === '') continue;
    try {
      const decoded = decodeOptions({ [name]: value });
      options.push(
        Object.fromEntries(Object.entries(decoded).filter(([key]) => fields(value as string).includes(key))),
      );
    } catch {
      unread.push(`--${flag} ${value}`);
    }
  }
  return { options: Object.assign({}, ...options), ...(unread.length === 0 ? {} : { unread }) };
}

const GATES: readonly (readonly [gate: string, option: keyof KarpenterOptions])[] = [
  ['SpotToSpotConsolidation', 'spotToSpot'],
  ['ReservedCapacity', 'reservedCapacity'],
  ['NodeOverlay', 'nodeOverlays'],
  ['CapacityBuffer', 'capacityBuffers'],
  ['PodDeletionCostManagement', 'managesDeletionCost'],
];

/** Karpenter's flag, its name in a snapshot, and the options that it determines. */
const SETTINGS: readonly (readonly [flag: string, name: string, fields: (value: string) => readonly string[]])[] = [
  [
    'feature-gates',
    'featureGates',
    (value) => GATES.flatMap(([gate, key]) => (value.includes(`${gate}=`) ? [key] : [])),
  ],
  ['preference-policy', 'preferencePolicy', () => ['preferences']],
  ['min-values-policy', 'minValuesPolicy', () => ['minValues']],
  ['scheduler-config', 'schedulerConfig', () => ['defaultSpread']],
  ['ignore-dra-requests', 'ignoreDRARequests', () => ['dynamicResources']],
];
