import * as z from 'zod';
import { nearest } from './did-you-mean.ts';

/** A problem within one value; the caller adds the object. */
export interface SchemaProblem {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
  readonly allowed: string;
}

export type SchemaResult<T> = { readonly value: T } | { readonly problems: readonly SchemaProblem[] };

/** Everything in the value that the schema refuses, including unknown fields. */
export function check<T>(schema: z.ZodType<T>, value: unknown): SchemaResult<T> {
  const result = schema.safeParse(value);
  if (result.success) return { value: result.data };
  return { problems: result.error.issues.flatMap((issue) => problemsOf(issue, schema, value)) };
}

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType, root: unknown): SchemaProblem[] {
  const { path } = issue;
  if (issue.code !== 'unrecognized_keys') return [{ path, value: valueAt(root, path), allowed: issue.message }];
  const known = Object.keys(shapeAt(schema, path));
  return issue.keys.map((key) => {
    const at = [...path, key];
    const meant = nearest(key, known);
    const hint = meant === undefined ? 'no field of this name.' : `no field of this name: did you mean ${meant}?`;
    return { path: at, value: valueAt(root, at), allowed: `${hint} The fields here are ${known.join(', ')}` };
  });
}

export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<PropertyKey, unknown>)[key];
  }, root);
}

/** The fields of the object schema at a path. */
function shapeAt(schema: z.ZodType, path: readonly PropertyKey[]): Readonly<Record<string, z.ZodType>> {
  let at = bare(schema);
  for (const key of path) {
    if (at instanceof z.ZodObject) at = bare(at.shape[String(key)]);
    else if (at instanceof z.ZodArray) at = bare(at.element as z.ZodType);
  }
  return at instanceof z.ZodObject ? at.shape : {};
}

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? bare(schema.unwrap() as z.ZodType) : schema;
}
