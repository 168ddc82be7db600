import { readdirSync, type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { InputError } from '../../config/input-error.ts';

export const STDIN = '-';

const READABLE = /\.(json|ya?ml)(\.gz)?$/i;

/** The named files, and those in the named folders at any depth, ordered by name. */
export function inputFiles(paths: readonly string[]): string[] {
  if (paths.filter((path) => path === STDIN).length > 1)
    throw new InputError('-: standard input can be read only once');
  return paths.flatMap((path) => {
    if (path === STDIN) return [path];
    if (path === '') throw new InputError('"": the name of a file or folder is missing');
    if (!statOf(path).isDirectory()) return [path];
    const files = filesIn(path);
    if (files.length === 0) throw new InputError(`${path}: no .json, .yaml or .yml file in this folder`);
    return files;
  });
}

function filesIn(folder: string): string[] {
  const entries = asked(folder, () => readdirSync(folder, { withFileTypes: true }));
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    // Hidden entries belong to editors and mounts; links to folders may be circular.
    if (entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return READABLE.test(entry.name) && statOf(path).isFile() ? [path] : [];
  });
}

function statOf(path: string): Stats {
  return asked(path, () => statSync(path));
}

/** Runs a file system call; its failure becomes an InputError. */
function asked<T>(path: string, question: () => T): T {
  try {
    return question();
  } catch (error) {
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
}

/** The text of a file, also with gzip, or of standard input. */
export async function textOf(file: string): Promise<string> {
  try {
    const content = file === STDIN ? await buffer(process.stdin) : await readFile(file);
    return (content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content).toString('utf8');
  } catch (error) {
    throw new InputError(`${file}: ${reasonOf(error)}`);
  }
}

/** The operating system's reason without its call and path. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file or folder';
  return message.replace(/^[A-Z_]+: /, '').replace(/, \w+( '.*')?$/, '');
}
