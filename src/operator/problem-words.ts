import { shown } from '../config/input-error.ts';
import type { Problem } from '../config/problem.ts';

/** The first problem in full, and how many more there are. */
export function problemsInWords([first, ...others]: readonly Problem[]): string {
  if (first === undefined) return '';
  const { object, field, value, allowed } = first;
  const given = value === undefined ? 'not set' : shown(value);
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${object}: ${field}: ${given}; allowed: ${allowed}${more}`;
}
