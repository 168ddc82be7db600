import { extname } from 'node:path';
import { InputError } from '../../config/input-error.ts';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import type { GivenPolicy } from '../decode/consolidation-policy.ts';
import { ObjectCollection } from '../decode/object-collection.ts';
import { type ByteSource, openFile, openStream } from './byte-source.ts';
import { DocumentReader } from './document-reader.ts';
import { inputFiles, reasonOf, STDIN } from './input-paths.ts';
import type { JsonCursor } from './json-cursor.ts';
import { JsonDocuments } from './json-documents.ts';
import { JsonProblem } from './json-problem.ts';
import { ObjectRows } from './object-rows.ts';
import { type RawInstanceTypes, SnapshotHeader } from './snapshot-header.ts';
import { readYamlDocuments } from './yaml-documents.ts';

export interface LoadedCluster {
  readonly objects: Omit<ClusterObjects, 'instanceTypes'>;
  /** If a snapshot brought its own catalog. */
  readonly instanceTypes?: RawInstanceTypes;
  /** ConsolidationPolicies, which count before the blocks of the pools that they select. */
  readonly policies: readonly GivenPolicy[];
  readonly warnings: readonly string[];
  /** How many objects of which kinds nothing here reads. */
  readonly ignoredKinds: ReadonlyMap<string, number>;
}

export interface LoadOptions {
  /** The time to decide at. Without it the snapshot's, and without that the clock's. */
  readonly nowMs?: number;
  readonly stdin?: AsyncIterable<Uint8Array>;
}

const JSON_START = /^\s*(\{\s*["}]|\[\s*[{\]])/;
const LOOK_AHEAD = 4096;

/** Reads a cluster from files, folders and standard input (`-`). Throws InputError; nothing partial is returned. */
export async function loadCluster(paths: readonly string[], options: LoadOptions = {}): Promise<LoadedCluster> {
  const collection = new ObjectCollection();
  const header = new SnapshotHeader();
  const rows = new ObjectRows();
  for (const path of inputFiles(paths)) {
    const file = path === STDIN ? 'stdin' : path;
    const source = await open(path, options.stdin);
    try {
      await readFile(file, source, rows, new DocumentReader(file, collection, header), collection);
    } finally {
      source.close();
    }
  }
  const nowMs = options.nowMs ?? header.nowMs ?? Date.now();
  const { objects, warnings } = collection.finish(nowMs, header.options);
  const { policies, ignoredKinds } = collection;
  return { objects, instanceTypes: header.instanceTypes, policies, warnings, ignoredKinds };
}

async function open(path: string, stdin: AsyncIterable<Uint8Array> | undefined): Promise<ByteSource> {
  // Only now: to look at process.stdin is to open it.
  if (path === STDIN) return openStream(stdin ?? process.stdin);
  try {
    return openFile(path);
  } catch (error) {
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
}

async function readFile(
  file: string,
  source: ByteSource,
  rows: ObjectRows,
  documents: DocumentReader,
  collection: ObjectCollection,
): Promise<void> {
  const { cursor } = rows;
  cursor.reset();
  let json: JsonDocuments | undefined;
  try {
    await fill(cursor, source, 0, file);
    if (isJson(cursor, file)) {
      json = new JsonDocuments(rows, documents, collection);
      while (!json.advance()) await fill(cursor, source, cursor.pos, file);
      if (json.documentCount === 0) throw emptyError(file);
    } else {
      while (!cursor.final) await fill(cursor, source, 0, file);
      const text = cursor.bytes.toString('utf8', cursor.pos, cursor.end);
      if ((await readYamlDocuments(text, file, documents)) === 0) throw emptyError(file);
    }
  } catch (problem) {
    if (!(problem instanceof JsonProblem)) throw problem;
    const place = json === undefined ? '' : ` in ${json.place}`;
    throw new InputError(`${file}: byte ${problem.offset}${place}: ${problem.message}`);
  }
}

/** Reads until the window is full, however small the pieces in which the input comes: a value that does not fit is scanned again from its beginning. */
async function fill(cursor: JsonCursor, source: ByteSource, keepFrom: number, file: string): Promise<void> {
  const room = cursor.makeRoom(keepFrom);
  let filled = 0;
  let final = false;
  while (filled < room.length && !final) {
    let count: number;
    try {
      const read = source.read(room.subarray(filled));
      // Files answer at once, and waiting would cost a turn of the event loop each time.
      count = typeof read === 'number' ? read : await read;
    } catch (error) {
      throw new InputError(`${file}: cannot be read: ${reasonOf(error)}`);
    }
    filled += count;
    final = count === 0;
  }
  cursor.took(filled, final);
}

/** Content decides, whatever a file is called, except that YAML may begin like JSON in a file that says it is YAML. */
function isJson(cursor: JsonCursor, file: string): boolean {
  if (cursor.bytes[0] === 0xef && cursor.bytes[1] === 0xbb && cursor.bytes[2] === 0xbf) cursor.pos = 3;
  const start = cursor.bytes.toString('latin1', cursor.pos, Math.min(cursor.end, cursor.pos + LOOK_AHEAD));
  const extension = extname(file.replace(/\.gz$/i, '')).toLowerCase();
  if (start.trim() === '') return true;
  return JSON_START.test(start) || (extension !== '.yaml' && extension !== '.yml' && /^\s*[{[]/.test(start));
}

function emptyError(file: string): InputError {
  return new InputError(`${file}: the file is empty, want Kubernetes objects as JSON or YAML, or a Decant snapshot`);
}
