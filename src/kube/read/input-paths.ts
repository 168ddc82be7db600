import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../config/input-error.ts';

export const STDIN = '-';

const READABLE = /\.(json|ya?ml)(\.gz)?$/i;

/** The files to read: those named, and those in the folders named, at any depth, in order of name. */
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
    // Hidden entries are editors' and mounts' own; links to folders may lead in a circle.
    if (entry.name.startsWith('.')) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return READABLE.test(entry.name) && statOf(path).isFile() ? [path] : [];
  });
}

function statOf(path: string): Stats {
  return asked(path, () => statSync(path));
}

/** What the operating system says about a path, its refusal in our words. */
function asked<T>(path: string, question: () => T): T {
  try {
    return question();
  } catch (error) {
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
}

/** Why the operating system refused, in its words but without its call and its copy of the path. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file or folder';
  return message.replace(/^[A-Z_]+: /, '').replace(/, \w+( '.*')?$/, '');
}
