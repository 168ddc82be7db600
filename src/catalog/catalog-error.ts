import { InputError } from '../config/input-error.ts';
import { problemText } from '../config/problem.ts';

export class CatalogError extends InputError {
  override readonly name = 'CatalogError';
}

/** `where`: file, entry and field. */
export function reject(where: string, value: unknown, allowed: string): never {
  throw new CatalogError(problemText({ object: where, field: '', value, allowed }));
}
