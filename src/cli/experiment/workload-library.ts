import { readdirSync } from 'node:fs';
import { nearest } from '../../config/did-you-mean.ts';
import { InputError } from '../../config/input-error.ts';

/** Two folders up from src/cli and from dist/cli alike. */
export const LIBRARY = new URL('../../../workloads/', import.meta.url);

export function libraryNames(): string[] {
  return readdirSync(LIBRARY)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

export function notInLibrary(name: string): InputError {
  const names = libraryNames();
  const meant = nearest(name, names);
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new InputError(
    `workload ${name}: no such file, and not in the library${question || '; decant simulate --list shows it'}`,
  );
}
