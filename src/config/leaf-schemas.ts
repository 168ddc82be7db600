import { z } from 'zod';
import { isShortEnough } from './duration.ts';

/**
 * Schemas of single values. Their messages say what is allowed and nothing else: who reports a problem
 * adds the object, the field and the value. Patterns must mean the same to Go's RE2, where a CRD uses them.
 */

/** Documents give decimals as strings, because floats change on their way through the API server. */
const LONGEST_NUMBER = 20;
const FITS = `at most ${LONGEST_NUMBER} characters`;

export function text(pattern: RegExp, allowed: string) {
  return z
    .string({ error: (issue) => stringWanted(issue.input, allowed) })
    .regex(pattern, { error: allowed, abort: true });
}

function stringWanted(given: unknown, allowed: string): string {
  return typeof given === 'number' ? `a string, not a number: ${allowed}` : allowed;
}

export function decimal(pattern: RegExp, allowed: string) {
  return text(pattern, allowed).max(LONGEST_NUMBER, FITS);
}

export function duration(pattern: RegExp, allowed: string) {
  return text(pattern, allowed).refine(
    (given) => given === 'Never' || isShortEnough(given),
    'at most 2562047h, 292 years',
  );
}

export function wholeNumber(least: number) {
  const allowed = `a whole number of at least ${least}`;
  return z.int(allowed).min(least, allowed);
}

export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, `one of ${values.join(', ')}`);
}

export const flag = z.boolean('true or false');

/** The API's int-or-string: whole numbers may be written as such. */
export function positiveNumber() {
  const allowed = 'a number above 0: a whole number, or a decimal as a string such as "1.5"';
  const positive = /^(0*[1-9][0-9]*(\.[0-9]+)?|0+\.[0-9]*[1-9][0-9]*)$/;
  return z.union([z.int(allowed).min(1, allowed), decimal(positive, allowed)], allowed);
}

/** Fields that it does not name are problems, not ignored: a misspelt field would silently mean its default. */
export function fields<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, `an object with ${Object.keys(shape).join(', ')}`);
}

export function listOf<T extends z.ZodType>(element: T, what: string) {
  return z.array(element, `a list of ${what}`);
}
