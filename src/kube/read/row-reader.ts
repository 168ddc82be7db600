import { timestamp, timestampAt } from '../decode/timestamp.ts';
import { FieldProblem } from '../field-problem.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  type JsonCursor,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from './json-cursor.ts';
import type { Row } from './json-shape.ts';
import type { ElementPlans, FieldsPlan, Place } from './reading-plan.ts';
import { ValuesByText } from './values-by-text.ts';

/** After this many values that did not repeat, a place stops comparing. */
const PATIENCE = 32;
/** Bytes beyond which a text is long. */
const LONG = 2_000;

/** Reads objects under a cursor into rows. */
export class RowReader {
  private readonly cursor: JsonCursor;
  private readonly shared = new ValuesByText();
  private readonly shortened = new Map<string, unknown>();

  constructor(cursor: JsonCursor) {
    this.cursor = cursor;
  }

  /** The cursor is at the object's opening brace, or at white space before it. */
  readInto(row: Row, plan: FieldsPlan): void {
    const cursor = this.cursor;
    let place = plan.start;
    for (;;) {
      place = this.follow(place, plan);
      switch (place.op) {
        case 'end':
          return;
        case 'skip':
          this.skip(place);
          break;
        case 'shared':
          row[place.column] = this.readShared(place);
          break;
        case 'text':
          row[place.column] = cursor.peek() === QUOTE ? this.readText() : cursor.readValue();
          break;
        case 'time':
          row[place.column] = this.readTime(place);
          break;
        case 'fields':
          if (cursor.peek() === OPEN_BRACE) this.readInto(row, place.members as FieldsPlan);
          else this.mustBeNull(place, 'an object');
          break;
        case 'rows':
          if (cursor.peek() === OPEN_BRACKET) row[place.column] = this.readRows(place.elements as ElementPlans);
          else this.mustBeNull(place, 'a list');
          break;
        default:
          row[place.column] = cursor.readValue();
      }
    }
  }

  /** Skips from one value to the next and returns the next place. */
  private follow(place: Place, plan: FieldsPlan): Place {
    const cursor = this.cursor;
    const view = cursor.view;
    const turns = place.turns;
    for (let i = 0; i < turns.length; i++) {
      const turn = turns[i];
      if (turn.glue.standsAt(view, cursor.pos)) {
        cursor.pos += turn.glue.length;
        return turn.place as Place;
      }
    }
    const start = cursor.pos;
    const next = this.readKey(plan, place === plan.start);
    place.remember(next, view, start, cursor.pos);
    return next;
  }

  private readKey(plan: FieldsPlan, first: boolean): Place {
    const cursor = this.cursor;
    if (first) {
      cursor.expect(OPEN_BRACE);
      if (cursor.peek() === CLOSE_BRACE) {
        cursor.pos++;
        return plan.end;
      }
    } else if (!cursor.another(CLOSE_BRACE)) return plan.end;
    const key = cursor.readKey();
    cursor.peek();
    return plan.placeOf(key);
  }

  private skip(place: Place): void {
    const cursor = this.cursor;
    if (place.misses > PATIENCE) {
      cursor.skipValue();
      return;
    }
    if (place.lastText.standsAt(cursor.view, cursor.pos)) {
      cursor.pos += place.lastText.length;
      place.misses = 0;
      return;
    }
    const start = cursor.skipValue();
    if (endsItself(cursor.bytes[start])) place.lastText.remember(cursor.view, start, cursor.pos);
    place.misses++;
  }

  private readShared(place: Place): unknown {
    const cursor = this.cursor;
    const shared = this.shared;
    if (place.lastEntry >= 0 && shared.matches(place.lastEntry, cursor.bytes, cursor.view, cursor.pos)) {
      cursor.pos += shared.lengthOf(place.lastEntry);
      return shared.valueOf(place.lastEntry);
    }
    const start = cursor.passValue();
    if (place.shorten !== undefined && cursor.pos - start > LONG)
      return this.readInShort(place.shorten(cursor.parse(start, cursor.pos)));
    let entry = shared.find(cursor.bytes, cursor.view, start, cursor.pos);
    if (entry < 0) {
      const value = cursor.parse(start, cursor.pos);
      entry = shared.add(cursor.bytes, cursor.view, start, cursor.pos, value);
    }
    place.lastEntry = endsItself(cursor.bytes[start]) ? entry : -1;
    return shared.valueOf(entry);
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
    const cursor = this.cursor;
    const bytes = cursor.bytes;
    const start = cursor.pos + 1;
    let p = start;
    let c = bytes[p];
    // ASCII is the common case and fast; the rest takes the slow path.
    while (c !== QUOTE && c !== BACKSLASH && c >= 0x20 && c < 0x80) c = bytes[++p];
    if (c === QUOTE) {
      cursor.pos = p + 1;
      return bytes.toString('latin1', start, p);
    }
    return cursor.readValue() as string;
  }

  private readTime(place: Place): unknown {
    const cursor = this.cursor;
    cursor.peek();
    const ms = timestampAt(cursor.bytes, cursor.pos);
    if (ms !== undefined) {
      cursor.pos += 22;
      return ms;
    }
    return timestamp(cursor.readValue(), place.path);
  }

  private readRows(elements: ElementPlans): Row[] {
    const cursor = this.cursor;
    const result = elements.emptyList();
    cursor.pos++;
    if (cursor.peek() === CLOSE_BRACKET) {
      cursor.pos++;
      return result;
    }
    do {
      const plan = elements.at(result.length);
      if (cursor.peek() !== OPEN_BRACE) throw new FieldProblem(plan.start.path, cursor.readValue(), 'an object');
      this.readInto(elements.addRow(), plan);
    } while (cursor.another(CLOSE_BRACKET));
    return result;
  }

  private mustBeNull(place: Place, wanted: string): void {
    const value = this.cursor.readValue();
    if (value !== null) throw new FieldProblem(place.path, value, wanted);
  }
}

/** A number may continue where a remembered one ended; other values end with their text. */
function endsItself(first: number): boolean {
  return first === QUOTE || first === OPEN_BRACE || first === OPEN_BRACKET;
}
