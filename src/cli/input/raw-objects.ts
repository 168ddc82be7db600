import { extname } from 'node:path';
import { InputError } from '../../config/input-error.ts';
import { isAbsent, type JsonObject } from '../../kube/decode/field-value.ts';
import { ObjectCollection } from '../../kube/decode/object-collection.ts';
import { type ByteSource, openFile, openStream } from '../../kube/read/byte-source.ts';
import { DocumentReader, type ListType } from '../../kube/read/document-reader.ts';
import { inputFiles, reasonOf, STDIN } from '../../kube/read/input-paths.ts';
import { JsonCursor, OPEN_BRACE, OPEN_BRACKET } from '../../kube/read/json-cursor.ts';
import { JsonProblem } from '../../kube/read/json-problem.ts';
import { SnapshotHeader } from '../../kube/read/snapshot-header.ts';
import { readYamlDocuments } from '../../kube/read/yaml-documents.ts';

/** An object as it stands in the input. */
export interface RawObject<K extends string> {
  readonly kind: K;
  readonly apiVersion: unknown;
  readonly name: string;
  readonly metadata: JsonObject;
  readonly spec: unknown;
  readonly status: unknown;
}

/**
 * The objects of some kinds in files, folders and standard input. Not by way of `loadCluster`, which refuses an object
 * at its first bad field and leaves out kinds that no plan needs. `kinds`: with the apiVersion of each, whose group
 * tells them from those of other projects.
 */
export async function readRawObjects<K extends string>(
  paths: readonly string[],
  kinds: Readonly<Record<K, string>>,
): Promise<readonly RawObject<K>[]> {
  const found: RawObject<K>[] = [];
  for (const path of inputFiles(paths)) {
    const file = path === STDIN ? 'stdin' : path;
    const cursor = new JsonCursor();
    try {
      await readAll(path, cursor);
      if ((await readDocuments(file, cursor, new RawDocuments(file, kinds, found))) === 0) {
        throw new InputError(`${file}: the file is empty, want Kubernetes objects as JSON or YAML`);
      }
    } catch (problem) {
      if (!(problem instanceof JsonProblem)) throw problem;
      throw new InputError(`${file}: byte ${problem.offset}: ${problem.message}`);
    }
  }
  return found;
}

async function readAll(path: string, cursor: JsonCursor): Promise<void> {
  let source: ByteSource | undefined;
  cursor.reset();
  try {
    source = path === STDIN ? await openStream(process.stdin) : openFile(path);
    while (!cursor.final) {
      const count = await source.read(cursor.makeRoom(0));
      cursor.took(count, count === 0);
    }
  } catch (error) {
    throw error instanceof JsonProblem ? error : new InputError(`${path}: ${reasonOf(error)}`);
  } finally {
    source?.close();
  }
}

/** How many documents there were. */
async function readDocuments(file: string, cursor: JsonCursor, documents: DocumentReader): Promise<number> {
  if (cursor.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) cursor.pos = BYTE_ORDER_MARK.length;
  if (cursor.atEnd()) return 0;
  if (!isJson(file, cursor)) {
    return readYamlDocuments(cursor.bytes.toString('utf8', cursor.pos, cursor.end), file, documents);
  }
  let read = 0;
  while (!cursor.atEnd()) documents.document(cursor.readValue(), `document ${++read}`);
  return read;
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

function isJson(file: string, cursor: JsonCursor): boolean {
  const extension = extname(file.replace(/\.gz$/i, '')).toLowerCase();
  if (extension === '.yaml' || extension === '.yml') return false;
  const first = cursor.peek();
  return extension === '.json' || first === OPEN_BRACE || first === OPEN_BRACKET;
}

/** Keeps the objects of some kinds, wherever a document has them. */
class RawDocuments<K extends string> extends DocumentReader {
  private readonly kinds: Readonly<Record<K, string>>;
  private readonly found: RawObject<K>[];

  constructor(file: string, kinds: Readonly<Record<K, string>>, found: RawObject<K>[]) {
    super(file, new ObjectCollection(), new SnapshotHeader());
    this.kinds = kinds;
    this.found = found;
  }

  override item(value: unknown, place: string, type?: ListType): void {
    const object = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
    const kind = object.kind ?? type?.kind;
    if (this.wants(kind)) this.keep(kind, object, place, type);
    // Lists are gone through, and what is no object is refused; of other kinds nobody asked.
    else if (typeof kind !== 'string' || kind.endsWith('List')) super.item(value, place, type);
  }

  private wants(kind: unknown): kind is K {
    return typeof kind === 'string' && Object.hasOwn(this.kinds, kind);
  }

  private keep(kind: K, object: JsonObject, place: string, type: ListType | undefined): void {
    const apiVersion = object.apiVersion ?? type?.apiVersion ?? undefined;
    if (groupOf(apiVersion) !== undefined && groupOf(apiVersion) !== groupOf(this.kinds[kind])) return;
    const metadata = isAbsent(object.metadata) ? {} : (object.metadata as JsonObject);
    const name =
      typeof metadata.name === 'string' && metadata.name !== '' ? metadata.name : `(${place}, without a name)`;
    this.found.push({ kind, apiVersion, name, metadata, spec: object.spec, status: object.status });
  }
}

/** Other projects have a kind NodePool too. */
function groupOf(apiVersion: unknown): string | undefined {
  return typeof apiVersion === 'string' ? apiVersion.split('/', 1)[0] : undefined;
}
