import { extname } from 'node:path';
import { API_VERSIONS, type PolicyKind, type PolicyObject } from '../config/policy-object.ts';
import { isAbsent, type JsonObject } from '../kube/decode/field-value.ts';
import { ObjectCollection } from '../kube/decode/object-collection.ts';
import { type ByteSource, openFile, openStream } from '../kube/read/byte-source.ts';
import { DocumentReader, type ListType } from '../kube/read/document-reader.ts';
import { InputError } from '../kube/read/input-error.ts';
import { inputFiles, reasonOf, STDIN } from '../kube/read/input-paths.ts';
import { JsonCursor, OPEN_BRACE, OPEN_BRACKET } from '../kube/read/json-cursor.ts';
import { JsonProblem } from '../kube/read/json-problem.ts';
import { SnapshotHeader } from '../kube/read/snapshot-header.ts';
import { readYamlDocuments } from '../kube/read/yaml-documents.ts';

export interface FoundObject extends PolicyObject {
  /** As given. */
  readonly metadata: JsonObject;
}

/**
 * The objects with disruption blocks in files, folders and standard input, as they stand there. Not by
 * way of `loadCluster`, which refuses an object at its first bad field and leaves out kinds that no plan
 * needs; a validation is to find everything.
 */
export async function readPolicyObjects(paths: readonly string[]): Promise<readonly FoundObject[]> {
  const found: FoundObject[] = [];
  for (const path of inputFiles(paths)) {
    const file = path === STDIN ? 'stdin' : path;
    const cursor = new JsonCursor();
    try {
      await readAll(path, cursor);
      if ((await readDocuments(file, cursor, new PolicyDocuments(file, found))) === 0) {
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

/** Keeps the objects that hold disruption blocks, wherever a document has them. */
class PolicyDocuments extends DocumentReader {
  private readonly found: FoundObject[];

  constructor(file: string, found: FoundObject[]) {
    super(file, new ObjectCollection(), new SnapshotHeader());
    this.found = found;
  }

  override item(value: unknown, place: string, type?: ListType): void {
    const object = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
    const kind = object.kind ?? type?.kind;
    if (isPolicyKind(kind)) this.keep(kind, object, place, type);
    // Lists are gone through, and what is no object is refused; other kinds hold no blocks.
    else if (typeof kind !== 'string' || kind.endsWith('List')) super.item(value, place, type);
  }

  private keep(kind: PolicyKind, object: JsonObject, place: string, type: ListType | undefined): void {
    const apiVersion = object.apiVersion ?? type?.apiVersion ?? undefined;
    if (groupOf(apiVersion) !== undefined && groupOf(apiVersion) !== groupOf(API_VERSIONS[kind])) return;
    const metadata = isAbsent(object.metadata) ? {} : (object.metadata as JsonObject);
    const name =
      typeof metadata.name === 'string' && metadata.name !== '' ? metadata.name : `(${place}, without a name)`;
    this.found.push({ kind, apiVersion, name, spec: object.spec, metadata });
  }
}

function isPolicyKind(kind: unknown): kind is PolicyKind {
  return typeof kind === 'string' && Object.hasOwn(API_VERSIONS, kind);
}

/** Other projects have a kind NodePool too. */
function groupOf(apiVersion: unknown): string | undefined {
  return typeof apiVersion === 'string' ? apiVersion.split('/', 1)[0] : undefined;
}
