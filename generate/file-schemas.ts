import * as z from 'zod';
import { disruptionBlock } from '../src/config/disruption-block.ts';
import { workloadFile } from '../src/config/workload-file.ts';
import { policyFile } from '../src/lab/policy-file.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Schemas of files that users write, for editors: JSON Schema by path. */
export function fileSchemas(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries({
      workload: titled('Workload of a simulation (decant simulate, compare, tune, demo)', workloadSchema()),
      policy: titled('Policy of a comparison (decant compare, simulate, tune, demo)', policySchema()),
      overlay: titled('Price overlay (--overlay)', OVERLAY),
      catalog: titled('Instance types and prices (--catalog)', CATALOG),
    }).map(([name, schema]) => [`docs/schemas/${name}.schema.json`, `${JSON.stringify(schema, null, 2)}\n`]),
  );
}

function titled(title: string, schema: Schema): Schema {
  const { $schema: _, ...rest } = schema;
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...rest };
}

function jsonSchema(schema: z.ZodType): Schema {
  return z.toJSONSchema(schema, { io: 'input' }) as Schema;
}

/** `replicas: 3` is short for a constant number; fields that are null count as absent. */
function workloadSchema(): Schema {
  return replaced(jsonSchema(workloadFile), ['properties', 'apps', 'items', 'properties', 'replicas'], (curve) => ({
    anyOf: [{ type: 'integer', minimum: 0 }, curve],
  }));
}

function policySchema(): Schema {
  return replaced(jsonSchema(policyFile), ['properties', 'disruption'], () => {
    const { $schema: _, ...block } = jsonSchema(disruptionBlock);
    return block;
  });
}

function replaced(schema: Schema, [key, ...rest]: readonly string[], change: (at: Schema) => Schema): Schema {
  const member = schema[key] as Schema;
  return { ...schema, [key]: rest.length === 0 ? change(member) : replaced(member, rest, change) };
}

const TEXTS = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] } as const;
const REQUIREMENTS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      key: { type: 'string' },
      operator: { enum: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'] },
      values: { type: 'array', items: { type: 'string' } },
    },
    required: ['key', 'operator'],
  },
} as const;

/** As src/catalog/price-overlay.ts reads it. */
const RULE = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'For messages.' },
    selector: {
      type: 'object',
      additionalProperties: TEXTS,
      description: 'Labels of instance types with their values.',
    },
    requirements: REQUIREMENTS,
    capacityType: TEXTS,
    zone: TEXTS,
    price: {
      type: 'string',
      pattern: '^[+-]?(\\d+(\\.\\d*)?|\\.\\d+)%?$',
      description: 'Dollars per hour such as "0.12", or a change such as "-37.5%" or "+0.01".',
    },
    onDemandRatio: { type: 'number', minimum: 0, description: 'Share of the list price on demand, instead of price.' },
    dollarsPerHour: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'A commitment of this size, paid in any case; price is its discount, such as "-27.5%".',
    },
    nodes: { type: 'integer', minimum: 1, description: 'A commitment to this many nodes of one instance type.' },
  },
  additionalProperties: false,
} as const;

const OVERLAY: Schema = {
  anyOf: [
    { type: 'array', items: RULE },
    {
      type: 'object',
      properties: {
        apiVersion: { const: 'decant.sh/v1alpha1' },
        kind: { const: 'CatalogOverlay' },
        overlays: { type: 'array', items: RULE },
      },
      required: ['overlays'],
    },
  ],
};

const AMOUNTS = { type: 'object', additionalProperties: { type: ['string', 'number'] } } as const;

/** As src/catalog/kwok-format.ts reads it, with field names as Decant writes them. */
const TYPE = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    architecture: { type: 'string' },
    operatingSystems: { type: 'array', items: { type: 'string' } },
    resources: AMOUNTS,
    allocatable: AMOUNTS,
    requirements: REQUIREMENTS,
    kwokLabels: { type: 'boolean' },
    volumeAttachmentLimits: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
    spotInterruptionsPerHour: { type: 'number', minimum: 0 },
    offerings: { type: 'array', items: { type: 'object' } },
  },
  required: ['name'],
} as const;

const CATALOG: Schema = {
  anyOf: [
    { type: 'array', items: TYPE },
    {
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        instanceTypes: { type: 'array', items: TYPE },
      },
      required: ['instanceTypes'],
    },
  ],
};
