import { readFileSync } from 'node:fs';

/** The package is two folders up, from src/live and from dist/live alike. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
