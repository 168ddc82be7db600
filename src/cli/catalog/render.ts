import type { CatalogDifference, ComparedPrice } from '../../catalog/difference.ts';
import { archOf, capacityTypesOf, cheapestPrice, familyOf, labelTexts, zonesOf } from '../../catalog/offerings.ts';
import { amountText } from '../../engine/cluster/amount-text.ts';
import { amountOf, type InstanceType } from '../../engine/cluster/objects.ts';
import { table, wrap } from '../output/table.ts';

const UNBOUND = Number.POSITIVE_INFINITY;
/** More names than these are a count. */
const MOST_NAMED = 200;

const LIST_COLUMNS = ['TYPE', 'ARCH', '>CPU', '>MEMORY', '>ON-DEMAND $/H', '>SPOT $/H', ''];

export function renderList(types: readonly InstanceType[]): string {
  if (types.length === 0) return 'no instance type matches\n';
  const rows = types.map((type) => [
    type.name,
    archOf(type),
    amountText('cpu', type.capacity.cpu ?? 0),
    gibibytes(type.capacity.memory ?? 0),
    price(cheapestPrice(type, 'on-demand')),
    price(cheapestPrice(type, 'spot')),
    devices(type),
  ]);
  return lines(table(LIST_COLUMNS, rows));
}

export function renderType(type: InstanceType): string {
  const { name, capacity, allocatable } = type;
  const amounts = Object.keys(capacity).map((resource) => {
    const left = amountOf(allocatable, resource) ?? 0;
    const texts = [capacity[resource], capacity[resource] - left, left].map((amount) => amountText(resource, amount));
    return [resource, ...texts, ''];
  });
  const capacityTypes = [...new Set(type.offerings.flatMap(capacityTypesOf))];
  const zones = [...new Set(type.offerings.flatMap(zonesOf))];
  const prices = zones.map((zone) => [
    zone,
    ...capacityTypes.map((capacityType) => quote(quoteIn(type, zone, capacityType))),
    '',
  ]);
  return lines([
    [name, archOf(type), familyOf(type) === '' ? '' : `family ${familyOf(type)}`].filter(Boolean).join(', '),
    '',
    ...table(['RESOURCE', '>CAPACITY', '>OVERHEAD', '>ALLOCATABLE', ''], amounts, UNBOUND),
    '',
    ...table(['$/H', ...capacityTypes.map((each) => `>${each.toUpperCase()}`), ''], prices, UNBOUND),
    '',
    'LABELS',
    ...labelTexts(type),
  ]);
}

function quoteIn({ offerings }: InstanceType, zone: string, capacityType: string): ComparedPrice {
  const offered = offerings.filter((o) => zonesOf(o).includes(zone) && capacityTypesOf(o).includes(capacityType));
  if (offered.length === 0) return null;
  const prices = offered.filter((o) => o.available).map((o) => o.price);
  return prices.length === 0 ? 'unavailable' : Math.min(...prices);
}

const DIFFERENCE_COLUMNS = ['TYPE', 'WHAT', '>A', '>B', '>CHANGE', 'WHERE'];

interface Compared {
  readonly a: string;
  readonly b: string;
  /** Of A. */
  readonly types: number;
}

export function renderDifference(difference: CatalogDifference, { a, b, types }: Compared): string {
  const { onlyInA, onlyInB, offerings, allocatable } = difference;
  const rows = [
    ...offerings.map((o) => [
      o.instanceType,
      `${o.capacityType} $/h`,
      quote(o.a),
      quote(o.b),
      change(o.a, o.b),
      o.zones.join(', '),
    ]),
    ...allocatable.map(({ instanceType, resource, a: ofA, b: ofB }) => [
      instanceType,
      `allocatable ${resource}`,
      amountText(resource, ofA),
      amountText(resource, ofB),
      change(ofA, ofB),
      '',
    ]),
  ];
  if (rows.length + onlyInA.length + onlyInB.length === 0) return `no difference in ${types} types\n`;
  return lines([
    `A is ${a}, B is ${b}`,
    ...only('A', onlyInA),
    ...only('B', onlyInB),
    ...(rows.length === 0 ? [] : ['', ...table(DIFFERENCE_COLUMNS, rows, UNBOUND)]),
  ]);
}

function only(where: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const counted = `${names.length} ${names.length === 1 ? 'type' : 'types'} only in ${where}`;
  return names.length > MOST_NAMED ? [counted] : wrap(`${counted}: ${names.join(', ')}`, 100, UNBOUND);
}

function change(a: ComparedPrice, b: ComparedPrice): string {
  if (typeof a !== 'number' || typeof b !== 'number' || a === 0) return '';
  const percent = (100 * (b - a)) / a;
  return `${percent > 0 ? '+' : ''}${percent.toFixed(1)} %`;
}

function quote(of: ComparedPrice): string {
  return of === 'unavailable' ? of : price(of ?? undefined);
}

function price(dollars: number | undefined): string {
  return dollars === undefined ? '–' : dollars.toFixed(4);
}

function gibibytes(bytes: number): string {
  const amount = bytes / 2 ** 30;
  return `${amount.toFixed(amount < 100 ? 1 : 0)} GiB`;
}

/** GPUs and the like; those of vpc.amazonaws.com are of the network, and every node has some. */
function devices({ capacity }: InstanceType): string {
  const found = Object.keys(capacity).filter((resource) => resource.includes('/') && !resource.startsWith('vpc.'));
  return found.map((resource) => `${capacity[resource]} ${resource}`).join(', ');
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
