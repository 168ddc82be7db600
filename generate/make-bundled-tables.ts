/**
 * Derives the bundled tables from a folder of public facts (../NOTICE names their sources):
 *
 *     node generate/make-bundled-tables.ts FOLDER
 *
 * FOLDER holds aws-us-east-1.json (types with labels, allocatable and on-demand prices, from Karpenter's AWS provider)
 * and prices/{aws,aws-zonal,azure,gcp}.csv.gz with prices/aws-zones.csv. Written are one table of types per cloud and
 * one compressed table of prices per region, both by columns: a command reads one of each.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AwsTypeTable } from '../src/catalog/aws-types.ts';
import { INTERRUPTION_BANDS, type RegionTable } from '../src/catalog/region-table.ts';
import type { TypeTable } from '../src/catalog/type-table.ts';
import { milliValue, wholeValue } from '../src/engine/cluster/quantity.ts';
import { INSTANCE_TYPE } from '../src/engine/cluster/well-known.ts';

type Row = Readonly<Record<string, string>>;

interface AwsFacts {
  readonly region: string;
  readonly pricesAsOf: string;
  readonly instanceTypes: readonly {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly allocatable: Readonly<Record<string, string>>;
    readonly onDemandPrice?: number;
  }[];
}

/** Dates of the sources. */
const AWS_LIST = '2025-04-24';
const AWS_ZONAL = '2026-08-22';
const AZURE = { onDemand: '2026-06-18', spot: '2025-04-24' };
const GCP = '2026-08-03';

const UNITS = new Map([
  ['memory', 2 ** 20],
  ['ephemeral-storage', 2 ** 30],
]);

const DATA = new URL('../src/catalog/data/', import.meta.url);
const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: make-bundled-tables.ts FOLDER');
await aws();
await azure();
await gcp();

async function aws(): Promise<void> {
  const facts: AwsFacts = JSON.parse(await readFile(join(folder, 'aws-us-east-1.json'), 'utf8'));
  const [listed, zonal] = [await rows('aws.csv.gz'), await rows('aws-zonal.csv.gz')];
  const known = new Set(facts.instanceTypes.map(({ name }) => name));
  const others = new Map([...listed, ...zonal].map((row) => [row.instance_type, row]));
  // The facts list what us-east-1 sells today. What only other regions or older accounts have is derived from its size.
  const extra = [...others.values()]
    .filter((row) => !known.has(row.instance_type) && row.max_pods !== '')
    .map(sizedType);
  const types = [...facts.instanceTypes, ...extra];
  const table: AwsTypeTable = {
    names: types.map((t) => t.name),
    labels: keysOf(types.map((t) => t.labels))
      .filter((key) => key !== INSTANCE_TYPE)
      .map((key) => {
        const column = types.map((t) => t.labels[key] ?? null);
        const values = [...new Set(column)];
        return { key, values, column: column.map((value) => values.indexOf(value)) };
      }),
    allocatable: keysOf(types.map((t) => t.allocatable)).map((resource) => {
      const unit = UNITS.get(resource) ?? 1;
      const column = types.map((t) => amount(resource, t.allocatable[resource] ?? '0') / unit);
      if (!column.every(Number.isInteger)) throw new Error(`${resource} is not a multiple of ${unit} everywhere`);
      return { resource, unit, column };
    }),
  };
  await writeTable('aws-types.json', table);
  const indexOf = new Map(table.names.map((name, i) => [name, i]));
  const ours = new Map(facts.instanceTypes.map((t) => [t.name, t.onDemandPrice]));
  for (const zones of await rows('aws-zones.csv')) {
    const { region } = zones;
    const inRegion = byType(listed.filter((row) => row.region === region && indexOf.has(row.instance_type)));
    const inZones = Map.groupBy(
      zonal.filter((row) => row.region === region && indexOf.has(row.instance_type)),
      (row) => row.instance_type,
    );
    const isOurs = region === facts.region;
    const names = table.names.filter((name) => inRegion.has(name) || inZones.has(name) || (isOurs && ours.has(name)));
    if (names.length === 0) continue;
    const ids = [...new Set([...inZones.values()].flat().map((row) => row.zone_id))].sort();
    const priceOf = (name: string) =>
      (isOurs ? ours.get(name) : undefined) ??
      Number(inZones.get(name)?.[0].ondemand_usd_h ?? inRegion.get(name)?.ondemand_usd_h);
    await writeRegion('aws', {
      region,
      onDemandAsOf: isOurs ? facts.pricesAsOf : ids.length > 0 ? AWS_ZONAL : AWS_LIST,
      spotAsOf: ids.length > 0 ? AWS_ZONAL : AWS_LIST,
      // us-east-1e sells hardly any current type, and EKS does not run there.
      zones: zones.zone_names.split('|').filter((zone) => zone !== 'us-east-1e'),
      types: names.map((name) => indexOf.get(name) as number),
      onDemand: names.map(priceOf),
      spot: names.map((name) => typicalSpot(inZones.get(name), inRegion.get(name))),
      interruptions: names.map((name) => INTERRUPTION_BANDS.indexOf(inRegion.get(name)?.interruption ?? '')),
      // Priced, because nodes of the type may still run, and not offered.
      retired: names.flatMap((name, i) =>
        (isOurs ? !ours.has(name) : ids.length > 0 && !inZones.has(name)) ? [i] : [],
      ),
      spotByZoneId: Object.fromEntries(
        ids.map((id) => [
          id,
          names.map((name) => {
            const row = inZones.get(name)?.find((each) => each.zone_id === id);
            if (row !== undefined) return Number(row.spot_usd_h);
            return inZones.has(name) ? -1 : typicalSpot(undefined, inRegion.get(name));
          }),
        ]),
      ),
    });
  }
}

/** The median over the zones of the newer source, else the month's average of the Spot Advisor; 0: not sold as spot. */
function typicalSpot(inZones: readonly Row[] | undefined, inRegion: Row | undefined): number {
  const prices = (inZones ?? []).map((row) => Number(row.spot_usd_h)).filter((price) => price > 0);
  if (prices.length === 0) return Number(inRegion?.spot_usd_h ?? 0);
  prices.sort((a, b) => a - b);
  const [low, high] = [prices[(prices.length - 1) >> 1], prices[prices.length >> 1]];
  return Math.round(((low + high) / 2) * 1e6) / 1e6;
}

/** Labels and allocatable as Karpenter's AWS provider derives them; what the size does not tell is absent. */
function sizedType(row: Row): AwsFacts['instanceTypes'][number] {
  const [family, size] = row.instance_type.split('.');
  const [, category, generation = ''] = /^([a-z]+(?:-[0-9]+tb)?)([0-9]+)/.exec(family) ?? [];
  const [vcpu, memoryMib, pods] = [Number(row.vcpu), Number(row.memory_gib) * 1024, Number(row.max_pods)];
  const usable = memoryMib - (row.arch === 'arm64' ? 64 : 0);
  const some = (key: string, count: string | number) => (Number(count) > 0 ? { [key]: String(count) } : {});
  return {
    name: row.instance_type,
    labels: {
      'karpenter.k8s.aws/instance-capability-flex': String(family.endsWith('-flex')),
      'karpenter.k8s.aws/instance-category': category ?? family,
      'karpenter.k8s.aws/instance-cpu': String(vcpu),
      'karpenter.k8s.aws/instance-family': family,
      'karpenter.k8s.aws/instance-generation': generation,
      'karpenter.k8s.aws/instance-memory': String(memoryMib),
      'karpenter.k8s.aws/instance-size': size,
      'kubernetes.io/arch': row.arch,
      'kubernetes.io/os': 'linux',
      ...some('karpenter.k8s.aws/instance-local-nvme', row.nvme_gb),
      ...some('karpenter.k8s.aws/instance-gpu-count', row.gpus),
      ...some('karpenter.k8s.aws/instance-accelerator-count', row.accelerators),
    },
    allocatable: {
      cpu: `${vcpu * 1000 - reservedMillicores(vcpu)}m`,
      'ephemeral-storage': '17Gi',
      memory: `${usable - Math.ceil(usable * 0.075) - 255 - 11 * pods - 100}Mi`,
      pods: String(pods),
      ...some('nvidia.com/gpu', row.gpus),
    },
  };
}

/** Kubelet's share on EKS: 6 % of the first core, 1 % of the second, 0.5 % of the next two, 0.25 % of the others. */
function reservedMillicores(vcpu: number): number {
  return Math.floor(
    60 + 10 * Math.min(1, vcpu - 1) + 5 * Math.max(0, Math.min(2, vcpu - 2)) + 2.5 * Math.max(0, vcpu - 4),
  );
}

async function azure(): Promise<void> {
  const all = await rows('azure.csv.gz');
  const types = typeTable(all, 'sku');
  await writeTable('azure-types.json', types);
  const indexOf = new Map(types.names.map((name, i) => [name, i]));
  for (const [region, inRegion] of Map.groupBy(all, (row) => row.region)) {
    await writeRegion('azure', {
      region,
      onDemandAsOf: AZURE.onDemand,
      spotAsOf: AZURE.spot,
      zones: [`${region}-1`, `${region}-2`, `${region}-3`],
      types: inRegion.map((row) => indexOf.get(row.sku) as number),
      onDemand: inRegion.map((row) => Number(row.ondemand_usd_h)),
      spot: inRegion.map((row) => Number(row.spot_usd_h)),
    });
  }
}

async function gcp(): Promise<void> {
  // The family c4n has no known architecture: a pod could land on the wrong one.
  const all = (await rows('gcp.csv.gz')).filter((row) => row.arch !== '');
  const types = typeTable(all, 'machine_type');
  await writeTable('gcp-types.json', types);
  const indexOf = new Map(types.names.map((name, i) => [name, i]));
  for (const [region, inRegion] of Map.groupBy(all, (row) => row.region)) {
    const letters = [...new Set(inRegion.flatMap((row) => row.zones.split('|')))].filter((zone) => zone !== '').sort();
    await writeRegion('gcp', {
      region,
      onDemandAsOf: GCP,
      spotAsOf: GCP,
      zones: (letters.length > 0 ? letters : ['a', 'b', 'c']).map((letter) => `${region}-${letter}`),
      types: inRegion.map((row) => indexOf.get(row.machine_type) as number),
      onDemand: inRegion.map((row) => Number(row.ondemand_usd_h)),
      spot: inRegion.map((row) => Number(row.spot_usd_h)),
      soldIn: inRegion.map((row) => row.zones.replaceAll('|', '')),
    });
  }
}

function typeTable(all: readonly Row[], name: string): TypeTable {
  const types = [...new Map(all.map((row) => [row[name], row])).values()];
  return {
    names: types.map((row) => row[name]),
    vcpus: types.map((row) => Number(row.vcpu)),
    memoryMib: types.map((row) => Math.round(Number(row.memory_gib) * 1024)),
    gpus: types.map((row) => Number(row.gpus ?? 0)),
    arm64: types.flatMap((row, i) => (row.arch === 'arm64' ? [i] : [])),
  };
}

async function rows(file: string): Promise<Row[]> {
  const bytes = await readFile(join(folder, 'prices', file));
  const [header, ...lines] = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
  const columns = header.split(',');
  return lines.map((line) => {
    const values = line.split(',');
    return Object.fromEntries(columns.map((column, i) => [column, values[i]]));
  });
}

function byType(all: readonly Row[]): Map<string, Row> {
  return new Map(all.map((row) => [row.instance_type, row]));
}

/** One column is one line: what changes can be read in a diff. */
async function writeTable(file: string, table: object): Promise<void> {
  const lines = Object.entries(table).map(([key, value]) => {
    const columns =
      Array.isArray(value) && typeof value[0] === 'object'
        ? `[\n${value.map((v) => JSON.stringify(v)).join(',\n')}\n]`
        : JSON.stringify(value);
    return `${JSON.stringify(key)}:${columns}`;
  });
  await writeFile(new URL(file, DATA), `{\n${lines.join(',\n')}\n}\n`);
}

async function writeRegion(cloud: string, table: RegionTable): Promise<void> {
  const directory = new URL(`${cloud}/`, DATA);
  await mkdir(directory, { recursive: true });
  const file = new URL(`${table.region}.json.gz`, directory);
  await rm(file, { force: true });
  await writeFile(file, gzipSync(JSON.stringify(table), { level: 9 }));
}

function keysOf(records: readonly Readonly<Record<string, string>>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function amount(resource: string, quantity: string): number {
  return resource === 'cpu' ? milliValue(quantity) : wholeValue(quantity);
}
