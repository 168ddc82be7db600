/** An invalid value. */
export interface Problem {
  /** Where it was given: an object such as NodePool/default, a file, or the command line. */
  readonly object: string;
  /** Path within the object, or the flag; empty if the object itself is the problem. */
  readonly field: string;
  /** As given; undefined if a required field is missing. */
  readonly value: unknown;
  readonly allowed: string;
}

/** `<where>: <field>: <value>: allowed: <what>`, in every layer. */
export function problemText({ object, field, value, allowed }: Problem): string {
  return `${object}: ${field === '' ? '' : `${field}: `}${shown(value)}: allowed: ${allowed}`;
}

/** The first problem in full, and the number of the others. */
export function problemsText([first, ...others]: readonly Problem[]): string {
  if (first === undefined) return '';
  return others.length === 0 ? problemText(first) : `${problemText(first)} (and ${others.length} more)`;
}

const LONGEST_SHOWN = 80;

/** A value as JSON, shortened. Does not recurse into objects: an invalid value may be nested deeper than the stack. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, LONGEST_SHOWN + 1)));
  if (value === undefined) return 'not set';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`;
  const keys = Object.keys(value).slice(0, 4);
  return keys.length === 0 ? 'an empty object' : `an object with ${cut(keys.join(', '))}`;
}

function cut(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}…`;
}
