import type { InstanceType } from '../engine/cluster/objects.ts';
import { CAPACITY_TYPE, canonicalLabel, ON_DEMAND, ZONE } from '../engine/cluster/well-known.ts';
import { reject } from './catalog-error.ts';
import { applyCommitments, type CommitmentRule, readSize, SIZE_FIELDS } from './commitments.ts';
import { isIn, readRequirements, selecting } from './requirements.ts';
import { readFields, readList, readText, readTexts, refuseOtherFields } from './untyped.ts';

const FIELDS = ['name', 'selector', 'requirements', 'capacityType', 'zone', 'price', 'onDemandRatio', ...SIZE_FIELDS];
const ABSOLUTE = /^(\d+(\.\d*)?|\.\d+)$/;
const ADJUSTMENT = /^[+-](\d+(\.\d*)?|\.\d+)%?$/;

/** One entry of an overlay file: which offerings, and their new price. */
export interface PriceRule {
  /** As in warnings: file, place and name. */
  readonly where: string;
  readonly selects: ReturnType<typeof selecting>;
  /** The new price; NaN if the type has no price to derive it from. */
  readonly reprice: (price: number, type: InstanceType) => number;
}

/** Entries with a size are commitments: they pay for some of the nodes, and change no price. */
export function decodePriceOverlay(file: string, document: unknown): (PriceRule | CommitmentRule)[] {
  return readList(document, `${file}: overlays`).map((entry, i) => decodeRule(entry, `${file}: overlays[${i}]`));
}

function decodeRule(entry: unknown, place: string): PriceRule | CommitmentRule {
  const fields = readFields(entry, place);
  const name = fields.get('name');
  const where = name === undefined ? place : `${place} (${readText(name, `${place}.name`)})`;
  refuseOtherFields(fields, FIELDS, where);
  const wanted = readRequirements(fields.get('requirements') ?? [], `${where}.requirements`);
  for (const [label, values] of readFields(fields.get('selector') ?? {}, `${where}.selector`)) {
    wanted.push(isIn(canonicalLabel(label), ...readTexts(values, `${where}.selector.${label}`)));
  }
  for (const [field, key] of [
    ['capacityType', CAPACITY_TYPE],
    ['zone', ZONE],
  ] as const) {
    if (fields.has(field)) wanted.push(isIn(key, ...readTexts(fields.get(field), `${where}.${field}`)));
  }
  if (!SIZE_FIELDS.some((field) => fields.has(field)))
    return { where, selects: selecting(wanted), reprice: readChange(fields, where) };
  // Savings plans and reservations are for on-demand nodes, unless the entry names a capacity type.
  if (!wanted.some(({ key }) => key === CAPACITY_TYPE)) wanted.push(isIn(CAPACITY_TYPE, ON_DEMAND));
  const size = readSize(fields, where);
  const named = name === undefined ? place.slice(place.indexOf(': ') + 2) : (name as string);
  return { where, name: named, selects: selecting(wanted), size, rate: readRate(fields, size, where) };
}

/** What is paid instead of the list price. */
function readRate(
  fields: ReadonlyMap<string, unknown>,
  size: CommitmentRule['size'],
  where: string,
): CommitmentRule['rate'] {
  const [price, ratio] = [fields.get('price'), fields.get('onDemandRatio')];
  if (price === undefined && ratio === undefined) return (list) => list;
  if (ratio !== undefined && price === undefined && typeof ratio === 'number' && ratio > 0 && ratio <= 1)
    return (list) => ratio * list;
  const isRate = typeof price === 'string' && (/^-.*%$/.test(price) || ('nodes' in size && ABSOLUTE.test(price)));
  if (!isRate || ratio !== undefined)
    reject(
      `${where}.price`,
      price,
      'a discount such as "-27.5%", or with nodes what one costs per hour, such as "0.07"',
    );
  return readChange(fields, where) as CommitmentRule['rate'];
}

function readChange(fields: ReadonlyMap<string, unknown>, where: string): PriceRule['reprice'] {
  const price = fields.get('price');
  const ratio = fields.get('onDemandRatio');
  if ((price === undefined) === (ratio === undefined)) {
    return reject(`${where}.price`, price, 'a price or onDemandRatio, not both');
  }
  if (ratio !== undefined) {
    if (typeof ratio === 'number' && ratio >= 0 && Number.isFinite(ratio))
      return (_, type) => ratio * onDemandPrice(type);
    return reject(`${where}.onDemandRatio`, ratio, 'a number, 0 or more');
  }
  // Strings only: YAML reads an unquoted +0.01 as the number 0.01, and a surcharge would become the price.
  if (typeof price !== 'string' || !(ABSOLUTE.test(price) || ADJUSTMENT.test(price))) {
    return reject(
      `${where}.price`,
      price,
      'quoted text such as "0.12" (dollars per hour), "+10%", "-37.5%", "+0.01" or "-0.01"',
    );
  }
  if (/^-.*%$/.test(price) && Number.parseFloat(price) < -100)
    reject(`${where}.price`, price, 'no discount beyond "-100%"');
  return priceChange(price);
}

/** Applies the rules in order, then commitments; also returns those that selected nothing. */
export function applyPriceOverlay(
  types: readonly InstanceType[],
  all: readonly (PriceRule | CommitmentRule)[],
): { types: readonly InstanceType[]; unmatched: readonly { readonly where: string }[] } {
  const rules = all.filter((rule) => 'reprice' in rule);
  const commitments = all.filter((rule) => 'size' in rule);
  const matched = new Set<PriceRule>();
  const priced = types.map((type) => {
    const selections = rules.map((rule) => ({ rule, selects: rule.selects(type.requirements) }));
    const offerings = type.offerings.map((offering) => {
      let price = offering.price;
      for (const { rule, selects } of selections) {
        if (!selects(offering.requirements)) continue;
        const changed = rule.reprice(price, type);
        if (Number.isNaN(changed)) continue;
        matched.add(rule);
        price = changed;
      }
      return price === offering.price ? offering : { ...offering, price, priceSource: 'overlay' as const };
    });
    return { ...type, offerings };
  });
  const committed = applyCommitments(priced, commitments);
  return {
    types: committed.types,
    unmatched: [...rules.filter((rule) => !matched.has(rule)), ...committed.unmatched],
  };
}

/** Karpenter's AdjustedPrice: a sign makes it a change, a percent sign a relative one; never below 0. */
export function priceChange(text: string): (price: number) => number {
  const amount = Number.parseFloat(text);
  if (!/^[+-]/.test(text)) return () => amount;
  return text.endsWith('%')
    ? (price) => Math.max(0, price * (1 + amount / 100))
    : (price) => Math.max(0, price + amount);
}

/**
 * The lowest on-demand list price, before any overlay: a savings plan does not make spot cheaper. NaN if there is none.
 */
function onDemandPrice(type: InstanceType): number {
  const prices = type.offerings.filter((o) => isOnDemand(o.requirements)).map((o) => o.price);
  return prices.length > 0 ? Math.min(...prices) : Number.NaN;
}

const isOnDemand = selecting([isIn(CAPACITY_TYPE, 'on-demand')])([]);
