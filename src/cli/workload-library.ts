import { readdirSync } from 'node:fs';

/** Two folders up from src/cli and from dist/cli alike. */
export const LIBRARY = new URL('../../workloads/', import.meta.url);

export function libraryNames(): string[] {
  return readdirSync(LIBRARY)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}
