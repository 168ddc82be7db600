import type { PriceOrigin } from '../../engine/cluster/price-origin.ts';
import { FieldProblem } from '../field-problem.ts';
import { isAbsent, type JsonObject, object, requiredText, texts } from './field-value.ts';
import { timestamp } from './timestamp.ts';

export function decodePriceOrigin(value: unknown): PriceOrigin {
  const given = object(value, 'prices') ?? {};
  const atMs = timestamp(given.at, 'prices.at');
  return {
    name: requiredText(given.source, 'prices.source'),
    ...(atMs === undefined ? {} : { atMs }),
    ...(isAbsent(given.warnings) ? {} : { warnings: texts(given.warnings, 'prices.warnings') }),
    ...(isAbsent(given.dollarsByPool) ? {} : { dollarsByPool: dollarsByPool(given.dollarsByPool) }),
  };
}

function dollarsByPool(value: unknown): Readonly<Record<string, number>> {
  const all: JsonObject = object(value, 'prices.dollarsByPool') ?? {};
  for (const [pool, dollars] of Object.entries(all)) {
    if (typeof dollars !== 'number') throw new FieldProblem(`prices.dollarsByPool.${pool}`, dollars, 'a number');
  }
  return all as Readonly<Record<string, number>>;
}
