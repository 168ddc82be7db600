import { Environment } from '@marcbachmann/cel-js';
import { withoutNulls } from '../../src/config/object-path.ts';
import type { StructuralSchema } from '../../src/crd/structural-schema.ts';
import { type Schema, schemaProblems } from './json-schema.ts';

/**
 * What an API server under strict field validation says about a value, as far as our CRDs use its schemas. The real one
 * is asked in test/e2e.
 */
export function refusals(schema: StructuralSchema, given: unknown, at = 'spec'): readonly string[] {
  // By way of JSON, which has no undefined members.
  const value = given === undefined ? {} : JSON.parse(JSON.stringify(withoutNulls(given)));
  const shape = schemaProblems(strict(schema), value, undefined, at);
  // Rules look at values of the right type and size only.
  const blocking = schemaProblems(withoutPatterns(strict(schema)), value, undefined, at);
  return blocking.length > 0 ? shape : [...shape, ...ruleRefusals(schema, value, at)];
}

/** With the fields that it names and no others. */
function strict(schema: Schema): Schema {
  return changed(schema, ({ properties, ...rest }) => {
    return properties === undefined ? rest : { properties, additionalProperties: false, ...rest };
  });
}

function withoutPatterns(schema: Schema): Schema {
  return changed(schema, ({ pattern: _, ...rest }) => rest);
}

function changed(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const { properties, items, additionalProperties } = schema;
  const inner = (each: Schema) => changed(each, change);
  return change({
    ...schema,
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, inner) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: inner(additionalProperties) } : {}),
  });
}

/** In the words that people get to see. */
function* ruleRefusals(schema: StructuralSchema, value: unknown, at: string): Generator<string> {
  for (const { rule, message, messageExpression, fieldPath = '' } of schema['x-kubernetes-validations'] ?? []) {
    if (holds(rule, value)) continue;
    yield `${at}${fieldPath}: ${messageExpression === undefined ? message : evaluate(messageExpression, value)}`;
  }
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) yield* ruleRefusals(schema.items!, each, `${at}[${i}]`);
  } else if (typeof value === 'object' && value !== null) {
    const { properties = {}, additionalProperties } = schema;
    for (const [key, each] of Object.entries(value))
      yield* ruleRefusals(
        Object.hasOwn(properties, key) ? properties[key] : additionalProperties!,
        each,
        `${at}.${key}`,
      );
  }
}

/** An error in a rule refuses the object too. */
function holds(rule: string, value: unknown): boolean {
  try {
    return evaluate(rule, value) === true;
  } catch (error) {
    if (error instanceof Error && error.name === 'EvaluationError') return false;
    // This library lets the error of Intl through where the API server's CEL has an evaluation error.
    if (error instanceof RangeError && /time zone/.test(error.message)) return false;
    throw error;
  }
}

/** With what Kubernetes adds to the language. */
const cel = new Environment({ unlistedVariablesAreDyn: true })
  .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
    text.replaceAll(from, to),
  )
  .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) =>
    Array.from(text.matchAll(new RegExp(pattern, 'g')), ([match]) => match),
  );
const programs = new Map<string, ReturnType<typeof cel.parse>>();

export function evaluate(rule: string, self: unknown): unknown {
  const program = programs.get(rule) ?? cel.parse(rule);
  programs.set(rule, program);
  return program({ self: celValue(self) });
}

/** CEL's integers are BigInts here. */
function celValue(value: unknown): unknown {
  if (Number.isInteger(value)) return BigInt(value as number);
  if (Array.isArray(value)) return value.map(celValue);
  return typeof value === 'object' && value !== null ? mapped(value, celValue) : value;
}

function mapped<T, U>(record: { readonly [key: string]: T } | object, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, each]) => [key, change(each as T)]));
}
