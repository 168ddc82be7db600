import type { Problem } from './problem.ts';

/** What the user gave cannot be used: the message is the whole report, and the command ends with exit code 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** More of the kind, where one file has several: a line each. */
  readonly others: readonly string[];

  constructor(message: string, others: readonly string[] = []) {
    super(message);
    this.others = others;
  }
}

/** All problems, one line each. */
export function inputError(problems: readonly Problem[]): InputError {
  const [first, ...others] = problems.map(({ object, field, value, allowed }) => {
    return `${object}: ${field}: ${value === undefined ? 'not set' : shown(value)}; allowed: ${allowed}`;
  });
  return new InputError(first, others);
}

const LONGEST_SHOWN = 80;

/** A value as a message shows it: as JSON, cut so that one bad field cannot flood the terminal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, LONGEST_SHOWN + 1)));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  return Object.keys(value).length === 0
    ? 'an empty object'
    : `an object with ${cut(Object.keys(value).slice(0, 4).join(', '))}`;
}

function cut(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}
