import { MONTHS, WEEKDAYS } from '../engine/disruption/cron.ts';

/**
 * What `parseCron` accepts, for the API server: a pattern with the range of every number, and a rule against descending
 * ranges such as 5-3.
 */

// As Go's \s, which has fewer characters than JavaScript's.
const SPACE = '[ \\t\\n\\f\\r]';
const MACRO = '@(annually|yearly|monthly|weekly|daily|midnight|hourly)';
const FIELDS = [
  field('[1-5]?[0-9]'),
  field('1?[0-9]|2[0-3]'),
  field('[1-9]|[12][0-9]|3[01]'),
  field('[1-9]|1[0-2]', MONTHS),
  field('[0-6]', WEEKDAYS),
];

export const CRON_PATTERN = new RegExp(`^${SPACE}*(${MACRO}|${FIELDS.join(`${SPACE}+`)})${SPACE}*$`);

/** A list of parts; empty ones are skipped. After a star, only the step is read. */
function field(number: string, names: readonly string[] = []): string {
  const value = `(${[`\\+?0*(${number})`, ...names.map(inAnyCase)].join('|')})`;
  const part = `([*?](-\\+?[a-zA-Z0-9]+)?|${value}(-${value})?)(/\\+?0*[1-9][0-9]*)?`;
  return `,*${part}(,+${part})*,*`;
}

/** Node 22 has no inline flag for this. */
function inAnyCase(name: string): string {
  return [...name].map((letter) => `[${letter}${letter.toUpperCase()}]`).join('');
}

const NUMBERS = new Map([
  ['+', ''],
  ...MONTHS.map((name, i): [string, string] => [name, `${i + 1}`]),
  ...WEEKDAYS.map((name, i): [string, string] => [name, `${i}`]),
]);

/**
 * In CEL, for a text that matches the pattern. By a pattern again: the API server estimates a rule over all ranges as
 * too expensive.
 */
export const ASCENDING_RANGES = `!self.lowerAscii()${[...NUMBERS]
  .map(([name, number]) => `.replace("${name}", "${number}")`)
  .join('')}.matches("${descending()}")`;

/** From a higher number to a lower one, both below 60. */
function descending(): string {
  const fewerTens = ['[0-9]', ...[1, 2, 3, 4].map((tens) => `[1-${tens}][0-9]`)].map((to, i) => {
    return `${i === 0 ? '[1-5]' : `${i + 1}`}[0-9]-0*${to}`;
  });
  const fewerOnes = ['', '1', '2', '3', '4', '5'].map((tens) => {
    const ones = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((from) => `${from}-0*${tens}[0-${from - 1}]`);
    return `${tens}(${ones.join('|')})`;
  });
  return `(^|[^0-9])0*(${[...fewerTens, ...fewerOnes].join('|')})([^0-9]|$)`;
}
