import { createReadStream, readdirSync, type Stats, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Duplex, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createGunzip, gunzipSync } from 'node:zlib';
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

/** The text of a file, also with gzip, or of standard input, in pieces. */
export async function* piecesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  try {
    const bytes: AsyncIterable<Uint8Array> = file === STDIN ? process.stdin : createReadStream(file);
    for await (const piece of unzipped(bytes)) yield decoder.decode(piece, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw new InputError(`${file}: ${reasonOf(error)}`);
  }
}

async function* unzipped(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  const { value: first, done } = await source.next();
  if (done) return;
  const all = (async function* () {
    yield first;
    yield* { [Symbol.asyncIterator]: () => source };
  })();
  yield* first[0] === 0x1f && first[1] === 0x8b ? Readable.from(all).compose<Duplex>(createGunzip()) : all;
}

/** The operating system's reason without its call and path. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'no such file or folder';
  return message.replace(/^[A-Z_]+: /, '').replace(/, \w+( '.*')?$/, '');
}
