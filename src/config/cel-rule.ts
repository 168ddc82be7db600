import type { z } from 'zod';

/**
 * A CEL rule of a CRD: what the API server checks beyond types, with the messages of `decant validate`. Declared beside
 * the check that it repeats, as metadata of the schema.
 */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
  /** For messages that depend on the value; `message` is the fallback. */
  readonly messageExpression?: string;
  /** The invalid field, below the one that has the rule. */
  readonly fieldPath?: string;
}

export const VALIDATIONS = 'x-kubernetes-validations';

export function withRules<T extends z.ZodType>(schema: T, ...rules: readonly CelRule[]): T {
  const before = (schema.meta()?.[VALIDATIONS] ?? []) as readonly CelRule[];
  return schema.meta({ [VALIDATIONS]: [...before, ...rules] });
}

/** The value matches; `pattern` must mean the same in Go's RE2. */
export function matching(pattern: RegExp): string {
  return `self.matches(${JSON.stringify(pattern.source)})`;
}
