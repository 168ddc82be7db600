/**
 * Makes aws-us-east-1.json from a list of instance types with labels, allocatable and on-demand prices:
 *
 *     node src/catalog/data/make-aws-us-east-1.ts FACTS.json
 *
 * Columns, not rows, because they parse four times as fast (1 ms), and not compressed, because inflating costs
 * more than reading (docs/catalog.md). One column is one line: new prices change one line.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { milliValue, wholeValue } from '../../engine/cluster/quantity.ts';
import { INSTANCE_TYPE } from '../../engine/cluster/well-known.ts';
import type { AwsTable } from '../aws-table.ts';

interface Facts {
  readonly region: string;
  readonly pricesAsOf: string;
  readonly instanceTypes: readonly {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly allocatable: Readonly<Record<string, string>>;
    readonly onDemandPrice: number;
  }[];
}

// us-east-1e is left out: it takes hardly any current type, and EKS does not run there.
const ZONES = ['a', 'b', 'c', 'd', 'f'];
const UNITS = new Map([
  ['memory', 2 ** 20],
  ['ephemeral-storage', 2 ** 30],
]);

const source = process.argv[2];
if (source === undefined) throw new Error('usage: make-aws-us-east-1.ts FACTS.json');
const facts: Facts = JSON.parse(await readFile(source, 'utf8'));
const types = facts.instanceTypes;

const table: AwsTable = {
  region: facts.region,
  pricesAsOf: facts.pricesAsOf,
  zones: ZONES.map((letter) => facts.region + letter),
  names: types.map((t) => t.name),
  onDemandPrices: types.map((t) => t.onDemandPrice),
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

const lines = Object.entries(table).map(([key, value]) => {
  const rows =
    Array.isArray(value) && typeof value[0] === 'object'
      ? `[\n${value.map((v) => JSON.stringify(v)).join(',\n')}\n]`
      : JSON.stringify(value);
  return `${JSON.stringify(key)}:${rows}`;
});
await writeFile(new URL('./aws-us-east-1.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);

function keysOf(records: readonly Readonly<Record<string, string>>[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function amount(resource: string, quantity: string): number {
  return resource === 'cpu' ? milliValue(quantity) : wholeValue(quantity);
}
