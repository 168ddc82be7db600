import type { JsonObject } from '../decode/field-value.ts';
import { shapeInFile } from '../decode/kind-table.ts';
import type { ObjectCollection } from '../decode/object-collection.ts';
import { type DocumentReader, listType } from './document-reader.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, type JsonCursor, OPEN_BRACE, OPEN_BRACKET } from './json-cursor.ts';
import { JsonProblem, OUT_OF_BYTES } from './json-problem.ts';
import type { Fields } from './json-shape.ts';
import type { RowReader } from './row-reader.ts';
import { OBJECT_LISTS } from './snapshot-header.ts';

/**
 * Any number of JSON documents in sequence. Arrays of objects are read one element at a time, so that a document may be
 * larger than memory; everything else is read whole.
 */
export class JsonDocuments {
  private readonly cursor: JsonCursor;
  private readonly documents: DocumentReader;
  private readonly collection: ObjectCollection | undefined;
  private readonly reader: RowReader;

  private stage: 'between documents' | 'members' | 'items' = 'between documents';
  /** Nothing of the current object or array has been read yet. */
  private first = true;
  documentCount = 0;
  /** The document is an array of objects. */
  private bare = false;
  private members = new Map<string, unknown>();
  /** Name and number of the current array. */
  private listName = '';
  private index = 0;
  private listCount = 0;
  /** Items without a kind, read before the kind of their list. */
  private held: { readonly value: unknown; readonly place: string }[] = [];

  /** Without a collection, `documents` gets every object. */
  constructor(reader: RowReader, documents: DocumentReader, collection: ObjectCollection | undefined) {
    this.cursor = reader.cursor;
    this.reader = reader;
    this.documents = documents;
    this.collection = collection;
  }

  /** Reads until the input ends (true) or the window is used up (false: fill it and call again). */
  advance(): boolean {
    let begun = this.cursor.pos;
    try {
      for (;;) {
        begun = this.cursor.pos;
        if (this.stage === 'items') this.readItem();
        else if (this.stage === 'members') this.readMember();
        else if (!this.beginDocument()) return true;
      }
    } catch (problem) {
      // A step changes nothing before it completes, so one that ran out of bytes can be repeated.
      this.cursor.pos = begun;
      if (problem !== OUT_OF_BYTES) throw problem;
      return false;
    }
  }

  /** The current position, for messages. */
  get place(): string {
    if (this.stage === 'items') return `${this.listName}[${this.index}]`;
    return `document ${Math.max(1, this.documentCount)}`;
  }

  private beginDocument(): boolean {
    const cursor = this.cursor;
    if (cursor.atEnd()) return false;
    const first = cursor.peek();
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) cursor.stop(cursor.pos, "'{'");
    cursor.pos++;
    this.documentCount++;
    this.members = new Map();
    this.listCount = 0;
    this.first = true;
    this.bare = first === OPEN_BRACKET;
    if (this.bare) this.beginList(`document ${this.documentCount}`);
    else this.stage = 'members';
    return true;
  }

  private readMember(): void {
    const cursor = this.cursor;
    if (this.first ? cursor.peek() === CLOSE_BRACE : !cursor.another(CLOSE_BRACE)) {
      if (this.first) cursor.pos++;
      this.endDocument();
      return;
    }
    const key = cursor.readKey();
    if (OBJECT_LISTS.some((name) => name === key) && cursor.peek() === OPEN_BRACKET) {
      cursor.pos++;
      this.beginList(key);
      return;
    }
    const value = cursor.readValue();
    this.members.set(key, value);
    this.first = false;
  }

  private beginList(name: string): void {
    this.stage = 'items';
    this.listName = name;
    this.listCount++;
    this.index = 0;
    this.first = true;
  }

  private readItem(): void {
    const cursor = this.cursor;
    if (this.first ? cursor.peek() === CLOSE_BRACKET : !cursor.another(CLOSE_BRACKET)) {
      if (this.first) cursor.pos++;
      this.first = false;
      this.stage = 'members';
      if (this.bare) this.endDocument();
      return;
    }
    const { collection } = this;
    const shape = collection !== undefined && cursor.peek() === OPEN_BRACE ? this.shapeOfNext() : undefined;
    if (collection === undefined || shape === undefined) this.readUnknownItem();
    else this.readKnownItem(shape, collection);
    this.first = false;
    this.index++;
  }

  /** The shape of the next object; undefined if its kind does not come first, or if it is a list. */
  private shapeOfNext(): Fields | undefined {
    const { cursor } = this;
    const start = cursor.pos;
    cursor.expect(OPEN_BRACE);
    let key = cursor.peek() === CLOSE_BRACE ? undefined : cursor.readKey();
    let value = key === undefined ? undefined : cursor.readValue();
    if (key === 'apiVersion' && cursor.another(CLOSE_BRACE)) [key, value] = [cursor.readKey(), cursor.readValue()];
    cursor.pos = start;
    if (key !== 'kind' || typeof value !== 'string' || value === '' || value.endsWith('List')) return undefined;
    return shapeInFile(value);
  }

  private readKnownItem(shape: Fields, collection: ObjectCollection): void {
    const { cursor, place } = this;
    const start = cursor.pos;
    try {
      collection.add(this.reader.read(shape));
    } catch (problem) {
      if (problem === OUT_OF_BYTES || problem instanceof JsonProblem) throw problem;
      cursor.pos = start;
      this.documents.setAside(cursor.readValue() as JsonObject, problem, place);
    }
  }

  private readUnknownItem(): void {
    const value = this.cursor.readValue();
    const { members, place } = this;
    const type = listType(members.get('kind'), members.get('apiVersion'));
    const ownKind = typeof value === 'object' && value !== null && 'kind' in value;
    if (ownKind || type !== undefined) this.documents.item(value, place, type);
    else this.held.push({ value, place });
  }

  private endDocument(): void {
    const { members, held, place } = this;
    this.stage = 'between documents';
    this.held = [];
    const type = listType(members.get('kind'), members.get('apiVersion'));
    for (const item of held) this.documents.item(item.value, item.place, type);
    this.documents.members(members, place, this.listCount);
  }
}
