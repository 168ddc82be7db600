import * as z from 'zod';
import { type CelRule, VALIDATIONS } from '../config/cel-rule.ts';

/** The API server's structural schema: a subset of JSON Schema, with CEL rules. */
export interface StructuralSchema {
  readonly description?: string;
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly properties?: Readonly<Record<string, StructuralSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: StructuralSchema;
  readonly items?: StructuralSchema;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly [VALIDATIONS]?: readonly CelRule[];
}

export function structuralSchema(schema: z.ZodType): StructuralSchema {
  return structural(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input' }) as JsonSchema);
}

interface JsonSchema extends Omit<StructuralSchema, 'properties' | 'items' | 'additionalProperties'> {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
  readonly anyOf?: readonly JsonSchema[];
  propertyNames?: unknown;
}

/**
 * Unknown fields are pruned, or refused under strict field validation, which is kubectl's default: a structural schema
 * may not forbid them itself. The only union it supports is int-or-string.
 */
function structural(given: JsonSchema): StructuralSchema {
  const { description, properties, items, additionalProperties, anyOf, [VALIDATIONS]: rules, ...rest } = given;
  delete rest.propertyNames;
  return {
    ...(description === undefined ? {} : { description }),
    ...(anyOf === undefined ? {} : intOrString(anyOf)),
    ...rest,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, structural(each)])) }),
    ...(items === undefined ? {} : { items: structural(items) }),
    ...(additionalProperties ? { additionalProperties: structural(additionalProperties) } : {}),
    ...(rules === undefined ? {} : { [VALIDATIONS]: rules }),
  };
}

/** Numeric keywords do not apply to strings, and vice versa. */
function intOrString(anyOf: readonly JsonSchema[]): StructuralSchema {
  const [{ type: first, ...ofInt }, { type: second, [VALIDATIONS]: _, ...ofString }] = anyOf;
  if (anyOf.length !== 2 || first !== 'integer' || second !== 'string') {
    throw new Error(`a CRD has no union of ${JSON.stringify(anyOf)}`);
  }
  return { 'x-kubernetes-int-or-string': true, ...(ofInt as StructuralSchema), ...(ofString as StructuralSchema) };
}
