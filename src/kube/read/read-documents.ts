import { InputError } from '../../config/input-error.ts';
import { isJson, parseYaml } from '../../config/parse-document.ts';
import type { ObjectCollection } from '../decode/object-collection.ts';
import { FieldProblem } from '../field-problem.ts';
import { type ByteSource, openFile, openStream } from './byte-source.ts';
import type { DocumentReader } from './document-reader.ts';
import { inputFiles, reasonOf, STDIN } from './input-paths.ts';
import type { JsonCursor } from './json-cursor.ts';
import { JsonDocuments } from './json-documents.ts';
import { JsonProblem } from './json-problem.ts';
import { RowReader } from './row-reader.ts';

const LOOK_AHEAD = 4096;
/** What kubectl writes to standard error: warnings of the API server, and that it was throttled. */
const REMARK = /^(Warning: |[IW]\d{4} \d\d:\d\d:\d\d)/;
const FAILURE = /^(error: |Error from server|Unable to connect|The connection to the server|E\d{4} \d\d:\d\d:\d\d)/;
const LINE_FEED = 0x0a;

export interface DocumentSink {
  /** For one file, which it names in messages. */
  readonly documents: DocumentReader;
  /**
   * Takes JSON objects of known kinds without parsing their other fields; without it, `documents` gets every object.
   */
  readonly collection?: ObjectCollection;
}

/**
 * Reads every document of files, folders and standard input (`-`), JSON or YAML, gzipped or not. All commands that take
 * Kubernetes objects with -f use it. Throws InputError.
 */
export async function readDocuments(
  paths: readonly string[],
  sinkOf: (file: string) => DocumentSink,
  stdin?: AsyncIterable<Uint8Array>,
): Promise<void> {
  const reader = new RowReader();
  for (const path of inputFiles(paths)) {
    const file = path === STDIN ? 'stdin' : path;
    const source = await open(path, stdin);
    try {
      await readFile(file, source, reader, sinkOf(file));
    } finally {
      source.close();
    }
  }
}

async function open(path: string, stdin: AsyncIterable<Uint8Array> | undefined): Promise<ByteSource> {
  // Reading the property process.stdin opens it.
  if (path === STDIN) return openStream(stdin ?? process.stdin);
  try {
    return openFile(path);
  } catch (error) {
    throw new InputError(`${path}: ${reasonOf(error)}`);
  }
}

async function readFile(file: string, source: ByteSource, reader: RowReader, sink: DocumentSink): Promise<void> {
  const { cursor } = reader;
  const { documents, collection } = sink;
  cursor.reset();
  let json: JsonDocuments | undefined;
  let count: number;
  try {
    await fill(cursor, source, 0, file);
    if (looksLikeJson(cursor, file)) {
      json = new JsonDocuments(reader, documents, collection);
      while (!json.advance()) await fill(cursor, source, cursor.pos, file);
      count = json.documentCount;
    } else {
      while (!cursor.final) await fill(cursor, source, 0, file);
      count = await readYaml(cursor.bytes.toString('utf8', cursor.pos, cursor.end), file, documents);
    }
  } catch (problem) {
    if (!(problem instanceof JsonProblem)) throw problem;
    const place = json === undefined ? '' : ` in ${json.place}`;
    throw new InputError(`${file}: byte ${problem.offset}${place}: ${problem.message}`);
  }
  if (count === 0) {
    throw new InputError(
      `${file}: the file is empty: allowed: Kubernetes objects as JSON or YAML, or a Decant snapshot`,
    );
  }
}

/**
 * Fills the window even if the input arrives in small pieces: a value that does not fit is scanned again from its
 * start.
 */
async function fill(cursor: JsonCursor, source: ByteSource, keepFrom: number, file: string): Promise<void> {
  const room = cursor.makeRoom(keepFrom);
  let filled = 0;
  let final = false;
  while (filled < room.length && !final) {
    let count: number;
    try {
      const read = source.read(room.subarray(filled));
      // Files answer at once; awaiting would cost a turn of the event loop each time.
      count = typeof read === 'number' ? read : await read;
    } catch (error) {
      throw new InputError(`${file}: cannot be read: ${reasonOf(error)}`);
    }
    filled += count;
    final = count === 0;
  }
  cursor.took(filled, final);
}

/** Also skips a byte order mark, and remarks of kubectl, which `2>&1` puts before its output. */
function looksLikeJson(cursor: JsonCursor, file: string): boolean {
  if (cursor.bytes[0] === 0xef && cursor.bytes[1] === 0xbb && cursor.bytes[2] === 0xbf) cursor.pos = 3;
  blankRemarks(cursor, file);
  const start = cursor.bytes.toString('latin1', cursor.pos, Math.min(cursor.end, cursor.pos + LOOK_AHEAD));
  return start.trim() === '' || isJson(start, file);
}

/** With blanks in their place, line numbers and offsets in messages are those of the file. */
function blankRemarks({ bytes, pos, end }: JsonCursor, file: string): void {
  for (let at = pos; at < end; ) {
    const found = bytes.subarray(at, end).indexOf(LINE_FEED);
    const lineEnd = found < 0 ? end : at + found;
    const line = bytes.toString('utf8', at, Math.min(lineEnd, at + LOOK_AHEAD));
    if (FAILURE.test(line)) throw new InputError(`${file}: kubectl failed: ${line.trim()}`);
    if (!REMARK.test(line)) return;
    bytes.fill(' ', at, lineEnd);
    at = lineEnd + 1;
  }
}

/** Returns the number of documents that are not empty. */
async function readYaml(text: string, file: string, documents: DocumentReader): Promise<number> {
  const values = await parseYaml(text, file);
  let read = 0;
  values.forEach((value, i) => {
    if (value === undefined || value === null) return;
    const place = `document ${i + 1}`;
    documents.guard(place, () => refuseCircles(value, '', new Set(), new Set()));
    documents.document(value, place);
    read++;
  });
  return read;
}

/** An alias to a value that contains it would never end. */
function refuseCircles(value: unknown, path: string, done: Set<unknown>, open: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || done.has(value)) return;
  if (open.has(value)) throw new FieldProblem(path, value, 'no alias to a value that contains it');
  open.add(value);
  for (const [key, member] of Object.entries(value)) {
    const at = path === '' ? key : `${path}.${key}`;
    refuseCircles(member, at, done, open);
  }
  open.delete(value);
  done.add(value);
}
