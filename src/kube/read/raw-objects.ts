import { isAbsent, type JsonObject } from '../decode/field-value.ts';
import { ObjectCollection } from '../decode/object-collection.ts';
import { DocumentReader, type ListType } from './document-reader.ts';
import { readDocuments } from './read-documents.ts';
import { SnapshotHeader } from './snapshot-header.ts';

/** An object as in the input. */
export interface RawObject<K extends string> {
  readonly kind: K;
  readonly apiVersion: unknown;
  readonly name: string;
  readonly metadata: JsonObject;
  readonly spec: unknown;
  readonly status: unknown;
}

/**
 * The objects of some kinds in files, folders and standard input. `loadCluster` would refuse an object at its first
 * invalid field and leave out kinds that no plan needs. `kinds`: with their apiVersion, whose group tells them from
 * those of other projects.
 */
export async function readRawObjects<K extends string>(
  paths: readonly string[],
  kinds: Readonly<Record<K, string>>,
): Promise<readonly RawObject<K>[]> {
  const found: RawObject<K>[] = [];
  await readDocuments(paths, (file) => ({ documents: new RawDocuments(file, kinds, found) }));
  return found;
}

/** Collects the objects of some kinds. */
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
    // Lists are traversed and non-objects refused; other kinds are skipped.
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
