import { timestampAt } from '../decode/timestamp.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  JsonCursor,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-cursor.ts';
import type { Fields, Leaf, Member, Row, Rows } from './json-shape.ts';
import { parsedRow } from './parsed-row.ts';
import { ValuesByText } from './values-by-text.ts';

/** Bytes beyond which a text is long. */
const LONG = 2_000;
const DATE_BYTES = 22;

/** Reads Kubernetes objects under its cursor into rows: fields that no decoder reads are checked for syntax only. */
export class RowReader {
  readonly cursor = new JsonCursor();
  private readonly shared = new ValuesByText();
  private readonly shortened = new Map<string, unknown>();

  /** The object at the cursor. Throws FieldProblem if it does not have the shape. */
  read(shape: Fields): Row {
    const row = { ...shape.empty };
    const start = this.cursor.pos;
    if (this.fill(row, shape)) return row;
    this.cursor.pos = start;
    // Slower, and knows the path of what is wrong.
    return parsedRow(this.cursor.readValue() as object, shape);
  }

  /** false at the first value that is not as expected. */
  private fill(row: Row, shape: Fields): boolean {
    const { cursor } = this;
    cursor.expect(OPEN_BRACE);
    if (cursor.peek() === CLOSE_BRACE) {
      cursor.pos++;
      return true;
    }
    do {
      const member = this.readMember(shape);
      if (member === undefined) cursor.skipValue();
      else if (!this.readInto(row, member)) return false;
    } while (cursor.another(CLOSE_BRACE));
    return true;
  }

  /** Reads a key and its colon; undefined if the shape has no such member. Most keys need not become strings. */
  private readMember({ members, byLength }: Fields): Member | undefined {
    const { cursor } = this;
    if (cursor.peek() !== QUOTE) cursor.stop(cursor.pos, 'a key in double quotes');
    const { bytes } = cursor;
    const start = cursor.pos + 1;
    let p = start;
    let c = bytes[p];
    while (c !== QUOTE && c !== BACKSLASH && c >= 0x20) c = bytes[++p];
    if (c !== QUOTE) return members.get(cursor.readKey());
    cursor.pos = p + 1;
    cursor.expect(COLON);
    const candidates = byLength[p - start];
    if (candidates !== undefined)
      for (const { key, member } of candidates) if (standsAt(key, bytes, start)) return member;
    return undefined;
  }

  private readInto(row: Row, member: Member): boolean {
    const { cursor } = this;
    const first = cursor.peek();
    switch (member.op) {
      case 'shared':
        row[member.name] = this.readShared(member);
        return true;
      case 'text':
        row[member.name] = first === QUOTE ? this.readText() : cursor.readValue();
        return true;
      case 'whole':
        row[member.name] = cursor.readValue();
        return true;
      case 'time': {
        const ms = timestampAt(cursor.bytes, cursor.pos);
        if (ms === undefined) return cursor.readValue() === null;
        row[member.name] = ms;
        cursor.pos += DATE_BYTES;
        return true;
      }
      case 'fields':
        return first === OPEN_BRACE ? this.fill(row, member) : cursor.readValue() === null;
      case 'rows':
        return first === OPEN_BRACKET ? this.readRows(row, member) : cursor.readValue() === null;
    }
  }

  private readRows(row: Row, { name, element }: Extract<Member, Rows>): boolean {
    const { cursor } = this;
    const list: Row[] = [];
    row[name] = list;
    cursor.pos++;
    if (cursor.peek() === CLOSE_BRACKET) {
      cursor.pos++;
      return true;
    }
    do {
      if (cursor.peek() !== OPEN_BRACE) return false;
      const each = { ...element.empty };
      list.push(each);
      if (!this.fill(each, element)) return false;
    } while (cursor.another(CLOSE_BRACKET));
    return true;
  }

  private readShared({ shorten }: Leaf): unknown {
    const { cursor, shared } = this;
    const start = cursor.passValue();
    const { bytes, view, pos: end } = cursor;
    if (shorten !== undefined && end - start > LONG) return this.readInShort(shorten(cursor.parse(start, end)));
    const known = shared.find(bytes, view, start, end);
    if (known >= 0) return shared.valueOf(known);
    const value = cursor.parse(start, end);
    shared.add(bytes, view, start, end, value);
    return value;
  }

  /** As a copy: parts of a text keep all of it in memory. */
  private readInShort(value: unknown): unknown {
    const text = JSON.stringify(value);
    const known = this.shortened.get(text);
    if (known !== undefined) return known;
    const copy = JSON.parse(text);
    this.shortened.set(text, copy);
    return copy;
  }

  private readText(): string {
    const { cursor } = this;
    const { bytes } = cursor;
    const start = cursor.pos + 1;
    let p = start;
    let c = bytes[p];
    // ASCII is the common case and fast; the rest takes the slow path.
    while (c !== QUOTE && c !== BACKSLASH && c >= 0x20 && c < 0x80) c = bytes[++p];
    if (c !== QUOTE) return cursor.readValue() as string;
    cursor.pos = p + 1;
    return bytes.toString('latin1', start, p);
  }
}

function standsAt(key: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false;
  return true;
}
