import { compareCatalogs } from '../../catalog/difference.ts';
import { writeInstanceType } from '../../catalog/kwok-entry.ts';
import { loadCatalog } from '../../catalog/load.ts';
import { archOf, capacityTypesOf, cheapestPrice, familyOf, zonesOf } from '../../catalog/offerings.ts';
import { nearest } from '../../config/did-you-mean.ts';
import { amountText, amountTexts } from '../../engine/cluster/amount-text.ts';
import { amountOf, type InstanceType } from '../../engine/cluster/objects.ts';
import { API_VERSION } from '../../engine/plan-document.ts';
import { UsageError } from '../flags/usage-error.ts';
import { tell } from '../input/load-input.ts';
import { EXIT } from '../output/exit.ts';
import { print } from '../output/terminal-text.ts';
import type { CatalogDiffOptions, ImportOptions, ListOptions, ShowOptions } from './flags.ts';
import { renderDifference, renderList, renderType } from './render.ts';

export async function listCommand(options: ListOptions): Promise<number> {
  const all = await load(options.catalog, options);
  const { family: families, arch, maxPrice = Number.POSITIVE_INFINITY } = options;
  for (const family of families ?? []) mustBeKnown('family', family, all.map(familyOf), options.catalog);
  if (arch !== undefined) mustBeKnown('architecture', arch, all.map(archOf), options.catalog);
  const types = all
    .filter((type) => families === undefined || families.includes(familyOf(type)))
    .filter((type) => arch === undefined || archOf(type) === arch)
    .filter((type) => maxPrice === Number.POSITIVE_INFINITY || (cheapestPrice(type) ?? Number.NaN) <= maxPrice)
    .sort(cheapestFirst);
  if (options.output === 'text') return printed(renderList(types));
  return printDocument({ kind: 'InstanceTypeList', items: types.map(summary) }, options.output);
}

export async function showCommand(name: string, options: ShowOptions): Promise<number> {
  const all = await load(options.catalog, options);
  const names = all.map((each) => each.name);
  mustBeKnown('instance type', name, names, options.catalog);
  const type = all[names.indexOf(name)];
  if (options.output === 'text') return printed(renderType(type));
  const { capacity, allocatable, requirements, offerings } = type;
  const overhead = Object.fromEntries(
    Object.keys(capacity).map((key) => [key, capacity[key] - (amountOf(allocatable, key) ?? 0)]),
  );
  return printDocument(
    {
      kind: 'InstanceType',
      ...summary(type),
      capacity: amountTexts(capacity),
      overhead: amountTexts(overhead),
      allocatable: amountTexts(allocatable),
      requirements,
      offerings: offerings.map((offering) => ({
        zones: zonesOf(offering),
        capacityTypes: capacityTypesOf(offering),
        dollarsPerHour: offering.price,
        available: offering.available,
      })),
    },
    options.output,
  );
}

export async function importCommand(name: string, options: ImportOptions): Promise<number> {
  const types = await load(name, options);
  const entries = types.map((type) => writeInstanceType(type, options.to === 'decant' ? 'short' : 'kwok'));
  // A requirement or an offering is one line.
  if (options.to === 'kwok') return printAs(entries, options.output, 3);
  return printAs({ apiVersion: API_VERSION, kind: 'Catalog', instanceTypes: entries }, options.output, 4);
}

export async function diffCatalogsCommand(
  a: string,
  b: string,
  { output, exitCode }: CatalogDiffOptions,
): Promise<number> {
  const [typesA, typesB] = [await load(a, {}), await load(b, {})];
  const difference = compareCatalogs(typesA, typesB);
  if (output === 'text') print(renderDifference(difference, { a, b, types: typesA.length }));
  else await printDocument({ kind: 'CatalogDifference', ...difference }, output);
  const same = Object.values(difference).every((list) => list.length === 0);
  return exitCode && !same ? EXIT.no : EXIT.ok;
}

async function load(
  name: string,
  { overlay, unavailable }: Pick<ListOptions, 'overlay' | 'unavailable'>,
): Promise<readonly InstanceType[]> {
  const notices: string[] = [];
  const { types } = await loadCatalog({ name, overlay, unavailable, warn: (message) => notices.push(message) });
  tell(notices);
  return types;
}

function mustBeKnown(what: string, name: string, known: readonly string[], catalog: string): void {
  if (known.includes(name)) return;
  const distinct = [...new Set(known)];
  const meant = nearest(name, distinct);
  const hint =
    meant !== undefined ? `; did you mean ${meant}?` : distinct.length > 10 ? '' : `; it has ${distinct.join(', ')}`;
  throw new UsageError(`no ${what} ${name} in catalog ${catalog}${hint}`);
}

/** Types that cannot be had at all come last. */
function cheapestFirst(a: InstanceType, b: InstanceType): number {
  const [priceOfA, priceOfB] = [a, b].map((type) => cheapestPrice(type) ?? Number.MAX_VALUE);
  return priceOfA - priceOfB || (a.name < b.name ? -1 : 1);
}

function summary(type: InstanceType) {
  return {
    name: type.name,
    family: familyOf(type),
    architecture: archOf(type),
    cpu: amountText('cpu', type.capacity.cpu ?? 0),
    memory: amountText('memory', type.capacity.memory ?? 0),
    cheapestDollarsPerHour: {
      'on-demand': cheapestPrice(type, 'on-demand') ?? null,
      spot: cheapestPrice(type, 'spot') ?? null,
    },
  };
}

function printDocument(document: object, output: ListOptions['output']): Promise<number> {
  return printAs({ apiVersion: API_VERSION, ...document }, output);
}

/** `flowLevel`: from which depth on YAML goes on in one line. */
async function printAs(value: unknown, output: ListOptions['output'], flowLevel = -1): Promise<number> {
  const json = JSON.stringify(value, null, 2);
  if (output !== 'yaml') return printed(`${json}\n`);
  const { dump } = await import('js-yaml');
  return printed(dump(JSON.parse(json), { noRefs: true, lineWidth: -1, flowLevel }));
}

function printed(text: string): number {
  print(text);
  return EXIT.ok;
}
