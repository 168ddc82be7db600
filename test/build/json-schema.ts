/** The part of JSON Schema that our schema files and CRDs use. */
export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly const?: unknown;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly maxItems?: number;
}

/** What in the value the schema does not allow, as paths with a reason. */
export function schemaProblems(root: Schema, value: unknown, schema: Schema = root, at = '$'): string[] {
  const problems: string[] = [];
  const refuse = (wrong: boolean, reason: string) => {
    if (wrong) problems.push(`${at}: ${reason}`);
  };
  if (schema.$ref !== undefined) {
    const named = root.$defs?.[schema.$ref.replace('#/$defs/', '')];
    if (named === undefined) return [`${at}: no schema ${schema.$ref}`];
    problems.push(...schemaProblems(root, value, named, at));
  }
  refuse(schema.const !== undefined && value !== schema.const, `not ${JSON.stringify(schema.const)}`);
  const { anyOf = [] } = schema;
  refuse(
    anyOf.length > 0 && !anyOf.some((each) => schemaProblems(root, value, each, at).length === 0),
    'none of anyOf',
  );
  const types = schema.type === undefined ? [] : [schema.type].flat();
  refuse(types.length > 0 && !types.some((type) => isOfType(value, type)), `not of type ${types}`);
  refuse(
    schema['x-kubernetes-int-or-string'] === true && !isOfType(value, 'integer') && !isOfType(value, 'string'),
    'neither integer nor string',
  );
  if (typeof value === 'string') {
    refuse(schema.enum?.includes(value) === false, `not one of ${schema.enum}`);
    refuse(schema.pattern !== undefined && !new RegExp(schema.pattern).test(value), `not ${schema.pattern}`);
    refuse(value.length < (schema.minLength ?? 0), 'too short');
    refuse(value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY), 'too long');
  }
  if (typeof value === 'number') {
    refuse(value > (schema.maximum ?? Number.POSITIVE_INFINITY), 'too large');
    refuse(value < (schema.minimum ?? Number.NEGATIVE_INFINITY), 'too small');
    refuse(value <= (schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY), 'too small');
  }
  if (Array.isArray(value)) {
    refuse(value.length > (schema.maxItems ?? Number.POSITIVE_INFINITY), 'too many');
    if (schema.items !== undefined)
      value.forEach((item, i) => {
        problems.push(...schemaProblems(root, item, schema.items, `${at}[${i}]`));
      });
  } else if (typeof value === 'object' && value !== null) {
    for (const key of schema.required ?? []) refuse(!Object.hasOwn(value, key), `lacks ${key}`);
    for (const [key, field] of Object.entries(value)) {
      const { properties = {}, additionalProperties } = schema;
      const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
      const known = Object.hasOwn(properties, key) ? properties[key] : others;
      refuse(known === undefined && additionalProperties === false, `has ${key}`);
      if (known !== undefined) problems.push(...schemaProblems(root, field, known, `${at}.${key}`));
    }
  }
  return problems;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
