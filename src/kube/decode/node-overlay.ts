import type { NodeOverlayObject } from '../../engine/cluster/node-overlay-object.ts';
import { FieldProblem } from '../field-problem.ts';
import { fields, type Row, shared } from '../read/json-shape.ts';
import { integer, isAbsent, optionalText } from './field-value.ts';
import { nameOf, objectShape } from './metadata.ts';
import { resourceAmounts } from './resource-amounts.ts';
import { decodeRequirements } from './selector.ts';

export const NODE_OVERLAY = objectShape({
  top: {
    spec: fields({
      requirements: shared(),
      price: shared(),
      priceAdjustment: shared(),
      capacity: shared(),
      weight: shared(),
    }),
  },
});

export function decodeNodeOverlay(row: Row): NodeOverlayObject {
  const price = matching(row.price, 'spec.price', /^\d+(\.\d+)?$/, 'dollars per hour, such as "0.05"');
  const change = matching(
    row.priceAdjustment,
    'spec.priceAdjustment',
    /^[+-]\d+(\.\d+)?%?$/,
    'an adjustment such as "+0.01" or "-10%"',
  );
  return {
    name: nameOf(row),
    weight: integer(row.weight, 'spec.weight') ?? 0,
    requirements: decodeRequirements(row.requirements, 'spec.requirements'),
    ...(price === undefined && change === undefined ? {} : { price: price ?? change }),
    ...(isAbsent(row.capacity) ? {} : { capacity: resourceAmounts(row.capacity, 'spec.capacity') }),
  };
}

function matching(raw: unknown, path: string, pattern: RegExp, allowed: string): string | undefined {
  const value = optionalText(raw, path);
  if (value !== undefined && !pattern.test(value)) throw new FieldProblem(path, value, allowed);
  return value;
}
