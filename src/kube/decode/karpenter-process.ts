import type { KarpenterOptions, KarpenterProcess } from '../../engine/cluster/karpenter-options.ts';
import type { Row } from '../read/json-shape.ts';
import { isAbsent, labels } from './field-value.ts';
import { decodeOptions } from './karpenter-options.ts';
import { rowsIn } from './pod-spec.ts';

const NAME_LABEL = 'app.kubernetes.io/name';
const VERSION_LABEL = 'app.kubernetes.io/version';

/** `…/karpenter/controller:1.15.0@sha256:…`, `…/karpenter:v1.15.0`. */
const IMAGE = /(?:^|\/)karpenter(?:\/controller)?(?::v?([^@]+))?(?:@.*)?$/;

/** A Deployment's information about Karpenter, if it is Karpenter's: by its image, or by its chart's labels. */
export function karpenterProcess(row: Row): KarpenterProcess | undefined {
  const { [NAME_LABEL]: name, [VERSION_LABEL]: labelled } = labels(row.labels, 'metadata.labels');
  const containers = rowsIn(row.containers);
  const own = containers.find((c) => IMAGE.test(String(c.image ?? '')));
  if (own === undefined && name !== 'karpenter') return undefined;
  const process = own ?? containers[0];
  const tag = IMAGE.exec(String(process?.image ?? ''))?.[1];
  const version = [tag, labelled].find((text) => text !== undefined && /^v?\d+\.\d+\.\d+/.test(text)) ?? labelled;
  const { settings, hidden } = process === undefined ? NONE : settingsOf(process);
  const { options, unread } = optionsIn(settings);
  const unknown = [...unread, ...hidden.filter((flag) => !settings.has(flag)).map((flag) => `--${flag} (valueFrom)`)];
  return {
    ...(version === undefined ? {} : { version }),
    options: overlaysAreOff(version, unknown) ? { nodeOverlays: false, ...options } : options,
    ...(unknown.length === 0 ? {} : { unread: unknown }),
  };
}

/** Up to 1.15 the gate NodeOverlay is off unless it is set. */
function overlaysAreOff(version: string | undefined, unread: readonly string[]): boolean {
  const minor = /^v?1\.(\d+)\./.exec(version ?? '')?.[1];
  return minor !== undefined && Number(minor) <= 15 && !unread.some((setting) => setting.startsWith('--feature-gates'));
}

interface ProcessSettings {
  /** By flag without dashes. */
  readonly settings: ReadonlyMap<string, string>;
  /** Flags whose value is in another object, such as a ConfigMap. */
  readonly hidden: readonly string[];
}

const NONE: ProcessSettings = { settings: new Map(), hidden: [] };

/** As in Karpenter, arguments take precedence over the environment. */
function settingsOf(container: Row): ProcessSettings {
  const settings = new Map<string, string>();
  const hidden: string[] = [];
  for (const each of listIn(container.env)) {
    const { name, value, valueFrom } = (each ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof name !== 'string') continue;
    const flag = name.toLowerCase().replaceAll('_', '-');
    if (typeof value === 'string') settings.set(flag, value);
    else if (!isAbsent(valueFrom) && SETTINGS.some(([known]) => known === flag)) hidden.push(flag);
  }
  const args = listIn(container.args).map(String);
  for (const [i, arg] of args.entries()) {
    const [, flag, , value] = /^--?([\w-]+)(=(.*))?$/s.exec(arg) ?? [];
    if (flag !== undefined) settings.set(flag, value ?? args[i + 1] ?? '');
  }
  return { settings, hidden };
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Settings that Karpenter itself could not read do not affect the rest. */
function optionsIn(settings: ReadonlyMap<string, string>): Required<Pick<KarpenterProcess, 'options' | 'unread'>> {
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
  return { options: Object.assign({}, ...options), unread };
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
