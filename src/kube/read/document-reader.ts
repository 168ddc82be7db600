import { InputError } from '../../config/input-error.ts';
import { problemText } from '../../config/problem.ts';
import { objectName } from '../../engine/cluster/undecodable.ts';
import { isAbsent, type JsonObject } from '../decode/field-value.ts';
import { shapeInFile } from '../decode/kind-table.ts';
import type { ObjectCollection } from '../decode/object-collection.ts';
import { FieldProblem } from '../field-problem.ts';
import { parsedRow } from './parsed-row.ts';
import { OBJECT_LISTS, type SnapshotHeader } from './snapshot-header.ts';

/** A list's kind and apiVersion, which its items lack. */
export interface ListType {
  readonly kind: string;
  readonly apiVersion: unknown;
}

/** Interprets the parsed documents of one file: an object, a list of objects, or a snapshot. */
export class DocumentReader {
  private readonly file: string;
  private readonly collection: ObjectCollection;
  private readonly header: SnapshotHeader;
  /** What was left out of this file, and why. */
  readonly warnings: string[] = [];

  constructor(file: string, collection: ObjectCollection, header: SnapshotHeader) {
    this.file = file;
    this.collection = collection;
    this.header = header;
  }

  /** `place` identifies the document if its object has no name. */
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

  /** The members of a document besides its `lists` lists of objects. */
  members(members: ReadonlyMap<string, unknown>, place: string, lists: number): void {
    const kind = members.get('kind');
    if (lists > 0 || (isAbsent(kind) && this.header.isSnapshot(members))) {
      this.guard(place, () => {
        if (lists === 0) this.header.refuseUnknownMembers(members);
        this.header.read(members, this.file);
      });
      return;
    }
    this.item(Object.fromEntries(members), place);
  }

  /** An item without a kind has the kind of its list. */
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
    try {
      const row = parsedRow(object, shapeInFile(kind));
      row.kind ??= kind;
      row.apiVersion ??= type?.apiVersion;
      this.collection.add(row);
    } catch (problem) {
      this.setAside({ ...object, kind, apiVersion: object.apiVersion ?? type?.apiVersion }, problem, place);
    }
  }

  /** An object that failed to decode: a warning, or an error if it concerns more than the object. */
  setAside(object: JsonObject, problem: unknown, place: string): void {
    try {
      const aside = this.collection.setAside(object, problem);
      if (aside === undefined) return;
      const { problem: found, ...identity } = aside;
      this.warnings.push(`${this.file}: ${objectName(identity)} cannot be decoded and is set aside: ${found}`);
    } catch (rethrown) {
      if (!(rethrown instanceof FieldProblem)) throw rethrown;
      throw this.error(nameIn(object) ?? place, rethrown.path, rethrown.value, rethrown.message);
    }
  }

  /** Converts a problem with a field into an error that names file and document. */
  guard(place: string, work: () => void): void {
    try {
      work();
    } catch (problem) {
      if (!(problem instanceof FieldProblem)) throw problem;
      throw this.error(place, problem.path, problem.value, problem.message);
    }
  }

  private error(object: string, field: string, value: unknown, allowed: string): InputError {
    return new InputError(problemText({ object: `${this.file}: ${object}`, field, value, allowed }));
  }
}

/** `PodList` implies the kind of its items; a plain `List` does not. */
export function listType(kind: unknown, apiVersion: unknown): ListType | undefined {
  if (typeof kind !== 'string' || !kind.endsWith('List') || kind === 'List') return undefined;
  return { kind: kind.slice(0, -'List'.length), apiVersion };
}

/** undefined if it has no name. */
function nameIn({ kind, metadata }: JsonObject): string | undefined {
  const { name, namespace } = (metadata ?? {}) as JsonObject;
  if (typeof name !== 'string' || name === '') return undefined;
  return objectName({ kind: String(kind), namespace: typeof namespace === 'string' ? namespace : '', name });
}
