import type { CapacityType } from './parameters.ts';
import { bytesText, cpuText } from './quantity-text.ts';

const ZONE = 'topology.kubernetes.io/zone';

export interface CatalogRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** An entry of Karpenter's KWOK instance_types.json, with the additions that a Decant snapshot allows. */
interface CatalogEntry {
  readonly name: string;
  readonly architecture: string;
  readonly operatingSystems: readonly string[];
  readonly resources: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly requirements?: readonly CatalogRequirement[];
  readonly offerings: readonly {
    readonly Price: number;
    readonly Available: boolean;
    readonly Requirements: readonly CatalogRequirement[];
  }[];
}

/** An instance type as the generator needs it to make nodes of it. */
export interface CatalogType {
  readonly entry: CatalogEntry;
  readonly family: string;
  readonly size: string;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  readonly pods: number;
  /** As a node of the type reports them. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** Labels that a node of the type carries because of it. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * Every zone that something can be launched in. Nodes must be spread over all of them: a zone without
 * pods makes every spread over zones impossible to keep, and hides everything that comes after.
 */
export function zonesOf(catalog: readonly CatalogType[]): string[] {
  const zones = catalog.flatMap((t) => t.entry.offerings.flatMap((o) => o.Requirements.filter((r) => r.key === ZONE)));
  return [...new Set(zones.flatMap((r) => r.values ?? []))].sort();
}

export function requires(key: string, ...values: readonly string[]): CatalogRequirement {
  return { key, operator: 'In', values };
}

export function offering(price: number, available: boolean, zone: string, capacityType: CapacityType) {
  return {
    Price: price,
    Available: available,
    Requirements: [requires('karpenter.sh/capacity-type', capacityType), requires(ZONE, zone)],
  };
}

/** To a millionth of a dollar. */
export function roundPrice(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}

export function resourceTexts(amounts: Readonly<Record<string, number>>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, amount] of Object.entries(amounts)) {
    const inBytes = name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-');
    texts[name] = name === 'cpu' ? cpuText(amount) : inBytes ? bytesText(amount) : String(amount);
  }
  return texts;
}

/** The four labels that KWOK's provider derives, by its rule: c7i-flex.large is of family c7i there. */
export function kwokLabels(name: string, resources: Readonly<Record<string, string>>): Record<string, string> {
  const [, family = name.slice(0, 1), rest = ''] = /^([^.-]+)[.-](.+)$/.exec(name) ?? [];
  return {
    'karpenter.kwok.sh/instance-family': family,
    'karpenter.kwok.sh/instance-size': name.includes('.') ? rest : resources.cpu,
    'karpenter.kwok.sh/instance-cpu': resources.cpu,
    'karpenter.kwok.sh/instance-memory': resources.memory,
  };
}
