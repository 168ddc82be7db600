import { MONTHS, WEEKDAYS } from '../engine/disruption/cron.ts';

/**
 * What `parseCron` accepts, for the API server: as a pattern, which knows the range of every number, and a rule for the
 * one thing that a pattern cannot say in less than pages: 5-3 is no range.
 */

// As Go's \s, which knows fewer spaces than JavaScript's.
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

/** A list of parts, between which empty ones are skipped. After a star, what comes before the step is not read. */
function field(number: string, names: readonly string[] = []): string {
  const value = `(${[`\\+?0*(${number})`, ...names.map(inAnyCase)].join('|')})`;
  const part = `([*?](-\\+?[a-zA-Z0-9]+)?|${value}(-${value})?)(/\\+?0*[1-9][0-9]*)?`;
  return `,*${part}(,+${part})*,*`;
}

/** Not by a flag: Node 22 has none within a pattern. */
function inAnyCase(name: string): string {
  return [...name].map((letter) => `[${letter}${letter.toUpperCase()}]`).join('');
}

const NUMBERS = new Map([
  ['+', ''],
  ...MONTHS.map((name, i): [string, string] => [name, `${i + 1}`]),
  ...WEEKDAYS.map((name, i): [string, string] => [name, `${i}`]),
]);

/** In CEL, for a text that matches the pattern. */
export const ASCENDING_RANGES = [
  'self.lowerAscii()',
  ...[...NUMBERS].map(([name, number]) => `.replace("${name}", "${number}")`),
  '.findAll("[0-9]+-[0-9]+").all(range, int(range.split("-")[0]) <= int(range.split("-")[1]))',
].join('');
