import { InputError } from '../../config/input-error.ts';
import { problemText } from '../../config/problem.ts';
import { isAbsent, type JsonObject } from '../decode/field-value.ts';
import { shapeOfKind } from '../decode/kind-table.ts';
import { API_VERSION, KIND, NAME, NAMESPACE } from '../decode/metadata.ts';
import type { ObjectCollection } from '../decode/object-collection.ts';
import { FieldProblem } from '../field-problem.ts';
import type { Row } from './json-shape.ts';
import { parsedRow } from './parsed-row.ts';
import { OBJECT_LISTS, type SnapshotHeader } from './snapshot-header.ts';

/** A list's kind and apiVersion, which the API server leaves out of the items. */
export interface ListType {
  readonly kind: string;
  readonly apiVersion: unknown;
}

/** What one file's documents mean, once they are parsed: an object, a list of objects, or a snapshot. */
export class DocumentReader {
  private readonly file: string;
  private readonly collection: ObjectCollection;
  private readonly header: SnapshotHeader;

  constructor(file: string, collection: ObjectCollection, header: SnapshotHeader) {
    this.file = file;
    this.collection = collection;
    this.header = header;
  }

  /** `place` says which document it is, for an object that has no name. */
  document(value: unknown, place: string): void {
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) this.item(item, `${place}[${i}]`);
      return;
    }
    if (typeof value !== 'object' || value === null) {
      throw this.error(place, '', value, 'a Kubernetes object, a list of them, or a Decant snapshot');
    }
    const members = new Map(Object.entries(value));
    const lists = OBJECT_LISTS.filter((name) => Array.isArray(members.get(name)));
    if (lists.length === 0) this.members(members, place, 0);
    else {
      const type = listType(members.get('kind'), members.get('apiVersion'));
      for (const name of lists) {
        const items = members.get(name) as unknown[];
        for (const [i, item] of items.entries()) this.item(item, `${name}[${i}]`, type);
      }
      this.members(members, place, lists.length);
    }
  }

  /** The members of a document other than its lists of objects, of which `lists` were read. */
  members(members: ReadonlyMap<string, unknown>, place: string, lists: number): void {
    const kind = members.get('kind');
    if (lists > 0 || (isAbsent(kind) && this.header.isSnapshot(members))) {
      this.guard(place, undefined, () => {
        if (lists === 0) this.header.refuseStrangers(members);
        this.header.read(members, this.file);
      });
      return;
    }
    this.item(Object.fromEntries(members), place);
  }

  /** One object. An item without a kind has its list's. */
  item(value: unknown, place: string, type?: ListType): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.error(place, '', value, 'a Kubernetes object');
    }
    const object = value as JsonObject;
    const kind = object.kind ?? type?.kind;
    if (typeof kind !== 'string' || kind === '')
      throw this.error(place, 'kind', object.kind, 'the kind of a Kubernetes object');
    if (kind.endsWith('List') && 'items' in object) {
      // An empty list that Go wrote has `"items": null`.
      if (!isAbsent(object.items) && !Array.isArray(object.items))
        throw this.error(place, 'items', object.items, 'a list');
      const inner = listType(kind, object.apiVersion);
      for (const [i, item] of (object.items ?? []).entries()) this.item(item, `${place}.items[${i}]`, inner);
      return;
    }
    let row: Row | undefined;
    this.guard(
      place,
      () => row ?? [object.apiVersion, kind, nameIn(object), namespaceIn(object)],
      () => {
        row = parsedRow(object, shapeOfKind(kind));
        row[KIND] ??= kind;
        row[API_VERSION] ??= type?.apiVersion;
        this.collection.add(row);
      },
    );
  }

  /** Turns a problem with a field into an error that says in which object of which file. */
  guard(place: string, row: (() => Row) | undefined, work: () => void): void {
    try {
      work();
    } catch (problem) {
      throw problem instanceof FieldProblem ? this.fieldError(problem, place, row?.()) : problem;
    }
  }

  fieldError(problem: FieldProblem, place: string, row: Row | undefined): InputError {
    return new InputError(problemText(problem.of(`${this.file}: ${objectName(row) ?? place}`)));
  }

  private error(object: string, field: string, value: unknown, allowed: string): InputError {
    return new InputError(problemText({ object: `${this.file}: ${object}`, field, value, allowed }));
  }
}

/** `PodList` says that its items are pods; a plain `List` says nothing. */
export function listType(kind: unknown, apiVersion: unknown): ListType | undefined {
  if (typeof kind !== 'string' || !kind.endsWith('List') || kind === 'List') return undefined;
  return { kind: kind.slice(0, -'List'.length), apiVersion };
}

function objectName(row: Row | undefined): string | undefined {
  if (row === undefined || typeof row[NAME] !== 'string' || row[NAME] === '') return undefined;
  const namespace = typeof row[NAMESPACE] === 'string' ? `${row[NAMESPACE]}/` : '';
  return `${String(row[KIND])} ${namespace}${row[NAME]}`;
}

function metadataOf(object: JsonObject): JsonObject {
  const { metadata } = object;
  return typeof metadata === 'object' && metadata !== null ? (metadata as JsonObject) : {};
}

function nameIn(object: JsonObject): unknown {
  return metadataOf(object).name;
}

function namespaceIn(object: JsonObject): unknown {
  return metadataOf(object).namespace;
}
