import { type CatalogType, kwokLabels, offering, resourceTexts, roundPrice } from './catalog-type.ts';
import { Random } from './random.ts';

const GIB = 2 ** 30;
const ZONES = ['us-east-1a', 'us-east-1b', 'us-east-1c'];

/** GiB of memory and on-demand dollars per vCPU and hour; near to what such machines cost, and no price list. */
const FAMILIES: readonly (readonly [name: string, gibPerCpu: number, dollarsPerCpu: number])[] = [
  ['m5', 4, 0.048],
  ['m5a', 4, 0.043],
  ['m5d', 4, 0.0565],
  ['m5n', 4, 0.0595],
  ['m6i', 4, 0.0481],
  ['m6a', 4, 0.0432],
  ['m7i', 4, 0.0504],
  ['m7a', 4, 0.058],
  ['c5', 2, 0.0425],
  ['c5a', 2, 0.0385],
  ['c5d', 2, 0.048],
  ['c5n', 2.625, 0.054],
  ['c6i', 2, 0.0426],
  ['c6a', 2, 0.0383],
  ['c7i', 2, 0.0446],
  ['c7a', 2, 0.0513],
  ['r5', 8, 0.063],
  ['r5a', 8, 0.0565],
  ['r5d', 8, 0.072],
  ['r5n', 8, 0.0745],
  ['r6i', 8, 0.0631],
  ['r6a', 8, 0.0567],
  ['r7i', 8, 0.0662],
  ['r7a', 8, 0.0761],
  ['m6g', 4, 0.0386],
  ['m7g', 4, 0.0408],
  ['c6g', 2, 0.034],
  ['c7g', 2, 0.0363],
  ['r6g', 8, 0.0504],
  ['r7g', 8, 0.0536],
];

const SIZES: readonly (readonly [name: string, cpus: number, pods: number])[] = [
  ['large', 2, 29],
  ['xlarge', 4, 58],
  ['2xlarge', 8, 58],
  ['4xlarge', 16, 234],
  ['8xlarge', 32, 234],
  ['12xlarge', 48, 234],
  ['16xlarge', 64, 737],
  ['24xlarge', 96, 737],
];

/** Spot costs this much of the on-demand price, at least and at most. */
const SPOT_SHARE = [0.28, 0.48] as const;
/** Of the spot offerings, where some are out of capacity. */
const SHARE_UNAVAILABLE = 0.04;
/** What KWOK's provider withholds from a node. */
const WITHHELD = { cpuMilli: 100, memoryBytes: 10 * 2 ** 20 };
/** The catalog is the same whatever a cluster's seed, so that clusters of different seeds can be compared. */
const CATALOG_SEED = 240;

/** 30 families × 8 sizes. With gaps, some spot offerings cannot be had. */
export function generatedCatalog(gaps: boolean): CatalogType[] {
  const random = new Random(CATALOG_SEED);
  return FAMILIES.flatMap(([family, gibPerCpu, dollarsPerCpu]) =>
    SIZES.map(([size, cpus, pods]) => {
      const name = `${family}.${size}`;
      const cpuMilli = cpus * 1000;
      const memoryBytes = gibPerCpu * cpus * GIB;
      const resources = resourceTexts({ cpu: cpuMilli, memory: memoryBytes, pods });
      const onDemand = roundPrice(dollarsPerCpu * cpus);
      const offerings = ZONES.flatMap((zone) => {
        const spot = roundPrice(onDemand * random.between(...SPOT_SHARE));
        const missing = random.chance(SHARE_UNAVAILABLE);
        return [offering(onDemand, true, zone, 'on-demand'), offering(spot, !(gaps && missing), zone, 'spot')];
      });
      // Graviton families end in g.
      const architecture = family.endsWith('g') ? 'arm64' : 'amd64';
      const usableCpu = cpuMilli - WITHHELD.cpuMilli;
      const usableMemory = memoryBytes - WITHHELD.memoryBytes;
      return {
        entry: { name, architecture, operatingSystems: ['linux'], resources, offerings },
        family,
        size,
        cpuMilli: usableCpu,
        memoryBytes: usableMemory,
        pods,
        allocatable: resourceTexts({ cpu: usableCpu, memory: usableMemory, pods }),
        labels: kwokLabels(name, resources),
      };
    }),
  );
}
