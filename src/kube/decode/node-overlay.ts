import type { NodeOverlayObject } from '../../engine/cluster/node-overlay-object.ts';
import { FieldProblem } from '../field-problem.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { integer, isAbsent, optionalText } from './field-value.ts';
import { FIRST, nameOf, objectShape } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';
import { decodeRequirements } from './selector.ts';

const REQUIREMENTS = FIRST;
const PRICE = FIRST + 1;
const ADJUSTMENT = FIRST + 2;
const CAPACITY = FIRST + 3;
const WEIGHT = FIRST + 4;

export const NODE_OVERLAY = objectShape({
  top: {
    spec: fields({
      requirements: shared(REQUIREMENTS),
      price: shared(PRICE),
      priceAdjustment: shared(ADJUSTMENT),
      capacity: shared(CAPACITY),
      weight: shared(WEIGHT),
    }),
  },
});

export function decodeNodeOverlay(row: Row): NodeOverlayObject {
  const price = matching(row[PRICE], 'spec.price', /^\d+(\.\d+)?$/, 'dollars per hour, such as "0.05"');
  const change = matching(
    row[ADJUSTMENT],
    'spec.priceAdjustment',
    /^[+-]\d+(\.\d+)?%?$/,
    'an adjustment such as "+0.01" or "-10%"',
  );
  return {
    name: nameOf(row),
    weight: integer(row[WEIGHT], 'spec.weight') ?? 0,
    requirements: decodeRequirements(row[REQUIREMENTS], 'spec.requirements'),
    ...(price === undefined && change === undefined ? {} : { price: price ?? change }),
    ...(isAbsent(row[CAPACITY]) ? {} : { capacity: resourceAmounts(row[CAPACITY], 'spec.capacity') }),
  };
}

function matching(raw: unknown, path: string, pattern: RegExp, allowed: string): string | undefined {
  const value = optionalText(raw, path);
  if (value !== undefined && !pattern.test(value)) throw new FieldProblem(path, value, allowed);
  return value;
}
