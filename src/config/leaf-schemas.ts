import * as z from 'zod';
import { matching, withRules } from './cel-rule.ts';
import { isShortEnough } from './duration.ts';

/**
 * Schemas of single values. Their messages only say what is allowed; the caller adds object, field and value. Patterns
 * used in a CRD must mean the same in Go's RE2.
 */

/** Decimals are strings, because floats may change in the API server. */
const LONGEST_NUMBER = 20;
const LONGEST_DURATION = 60;

export function textField(pattern: RegExp, allowed: string) {
  return z
    .string({ error: (issue) => stringWanted(issue.input, allowed) })
    .regex(pattern, { error: allowed, abort: true });
}

/**
 * The API server reports patterns without a message; a rule has one, and needs a maximum length for its cost estimate.
 */
export function shortText(pattern: RegExp, allowed: string, longest: number) {
  const schema = textField(pattern, allowed).max(longest, `at most ${longest} characters`);
  return withRules(schema, { rule: matching(pattern), message: allowed });
}

function stringWanted(given: unknown, allowed: string): string {
  return typeof given === 'number' ? `a string, not a number: ${allowed}` : allowed;
}

export function decimalField(pattern: RegExp, allowed: string) {
  return shortText(pattern, allowed, LONGEST_NUMBER);
}

export function durationField(pattern: RegExp, allowed: string) {
  const message = 'at most 2562047h, 292 years';
  const schema = shortText(pattern, allowed, LONGEST_DURATION).refine(
    (given) => given === 'Never' || isShortEnough(given),
    message,
  );
  // A duration that Go cannot represent is an error in the rule, which refuses the object with the same message.
  const rule = `!${matching(/^([0-9]+(s|m|h))+$/)} || duration(self) <= duration("2562047h47m16s")`;
  return withRules(schema, { rule, message });
}

export function wholeNumberField(least: number) {
  const allowed = `a whole number of at least ${least}`;
  return z.int(allowed).min(least, allowed);
}

export function choiceField<const T extends readonly string[]>(values: T) {
  return z.enum(values, `one of ${values.join(', ')}`);
}

export const booleanField = z.boolean('true or false');

/** The API's int-or-string: whole numbers may be numbers. */
export function positiveNumber() {
  const allowed = 'a number above 0: a whole number, or a decimal as a string such as "1.5"';
  const positive = /^(0*[1-9][0-9]*(\.[0-9]+)?|0+\.[0-9]*[1-9][0-9]*)$/;
  const schema = z.union([z.int(allowed).min(1, allowed), decimalField(positive, allowed)], allowed);
  return withRules(schema, { rule: `type(self) == int || ${matching(positive)}`, message: allowed });
}

/** Unknown fields are problems: a misspelt field would silently mean its default. */
export function objectOf<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, `an object with ${Object.keys(shape).join(', ')}`);
}

export function listOf<T extends z.ZodType>(element: T, what: string) {
  return z.array(element, `a list of ${what}`);
}
