import type { z } from 'zod';

/**
 * A rule of a CRD in CEL: what the API server checks beyond types, in the words of `decant validate`. It stands beside
 * the check that it repeats, and goes with the schema as metadata.
 */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  /** An expression for words that depend on the value; `message` is for when it fails. */
  readonly messageExpression?: string;
  /** The field that is wrong, below the one that has the rule. */
  readonly fieldPath?: string;
}

/** What Kubernetes calls them in a schema. */
export const VALIDATIONS = 'x-kubernetes-validations';

export function withRules<T extends z.ZodType>(schema: T, ...rules: readonly CelRule[]): T {
  const before = (schema.meta()?.[VALIDATIONS] ?? []) as readonly CelRule[];
  return schema.meta({ [VALIDATIONS]: [...before, ...rules] });
}

/** The value matches; `pattern` must mean the same to Go's RE2. */
export function matching(pattern: RegExp): string {
  return `self.matches(${JSON.stringify(pattern.source)})`;
}
