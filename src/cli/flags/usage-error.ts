import { problemText } from '../../config/problem.ts';

/** An invalid request; the message says what is allowed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function badFlag(flag: string, value: string, allowed: string): UsageError {
  return new UsageError(problemText({ object: 'command line', field: flag, value, allowed }));
}
