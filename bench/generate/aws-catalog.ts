import { loadCatalog } from '../../src/catalog/load.ts';
import type { InstanceType } from '../../src/engine/cluster/objects.ts';
import { type CatalogType, kwokLabels, offering, resourceTexts } from './catalog-type.ts';
import type { CapacityType } from './parameters.ts';

const ARCH = 'kubernetes.io/arch';
const ZONE = 'topology.kubernetes.io/zone';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
/** Said by the entry's own fields; a reader of the format derives the requirements from them. */
const DERIVED = new Set([ARCH, ZONE, CAPACITY_TYPE, 'kubernetes.io/os', 'node.kubernetes.io/instance-type']);

/** The bundled catalog, written out in KWOK's format so that Karpenter's own code can be asked with it too. */
export async function awsCatalog(): Promise<CatalogType[]> {
  return (await loadCatalog({ name: 'aws/us-east-1' })).types.map(toCatalogType);
}

function toCatalogType(type: InstanceType): CatalogType {
  const { name, capacity, allocatable } = type;
  const resources = resourceTexts(capacity);
  const usable = resourceTexts(allocatable);
  const requirements = type.requirements.filter((r) => !DERIVED.has(r.key));
  const labels: Record<string, string> = kwokLabels(name, resources);
  for (const { key, operator, values } of requirements) {
    if (operator === 'In' && values?.length === 1) labels[key] = values[0];
  }
  const [family, size = ''] = name.split('.');
  return {
    entry: {
      name,
      architecture: firstValue(type.requirements, ARCH),
      operatingSystems: ['linux'],
      resources,
      allocatable: usable,
      requirements,
      offerings: type.offerings.map((o) =>
        offering(
          o.price,
          o.available,
          firstValue(o.requirements, ZONE),
          firstValue(o.requirements, CAPACITY_TYPE) as CapacityType,
        ),
      ),
    },
    family,
    size,
    cpuMilli: allocatable.cpu ?? 0,
    memoryBytes: allocatable.memory ?? 0,
    pods: allocatable.pods ?? 0,
    allocatable: usable,
    labels,
  };
}

function firstValue(requirements: InstanceType['requirements'], key: string): string {
  return requirements.find((r) => r.key === key)?.values?.[0] ?? '';
}
