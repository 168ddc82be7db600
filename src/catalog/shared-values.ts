import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type { NodeSelectorRequirement } from '../engine/cluster/objects.ts';
import { formatQuantity, milliValue, wholeValue } from '../engine/cluster/quantity.ts';
import { reject } from './catalog-error.ts';
import { doesNotExist, isIn } from './requirements.ts';

export interface Quantity {
  readonly milli: number;
  readonly whole: number;
  /** As Go prints it. */
  readonly canonical: string;
}

/**
 * Values that the entries of one catalog share. A few dozen requirement lists and quantities make up thousands of
 * offerings: each is parsed once, and equal ones are one object, so that the engine can compare by identity.
 */
export class SharedValues {
  readonly #lists = new Map<string, readonly NodeSelectorRequirement[]>();
  readonly #singles = new Map<string, NodeSelectorRequirement>();
  readonly #quantities = new Map<string, Quantity | undefined>();

  /** The list that `read` makes of raw input; equal input is parsed once. */
  list(
    raw: unknown,
    where: string,
    read: () => readonly NodeSelectorRequirement[],
  ): readonly NodeSelectorRequirement[] {
    return getOrInsert(this.#lists, contentOf(raw, where), read);
  }

  /** In without values becomes DoesNotExist, as in Karpenter. */
  oneOf(key: string, values: readonly string[]): NodeSelectorRequirement {
    return getOrInsert(this.#singles, `${key}\n${values.join('\n')}`, () =>
      values.length > 0 ? isIn(key, ...values) : doesNotExist(key),
    );
  }

  /** undefined if invalid. */
  quantity(text: string): Quantity | undefined {
    return getOrInsert(this.#quantities, text, () => {
      const canonical = formatQuantity(text);
      return canonical === undefined ? undefined : { milli: milliValue(text), whole: wholeValue(text), canonical };
    });
  }
}

function contentOf(raw: unknown, where: string): string {
  try {
    return JSON.stringify(raw);
  } catch {
    // Nested deeper than the stack, or a YAML alias to itself.
    return reject(where, raw, 'requirements');
  }
}
