import { shapeInFile } from '../decode/kind-table.ts';
import { CLOSE_BRACE, JsonCursor, OPEN_BRACE } from './json-cursor.ts';
import { clear, emptyRow, type Row } from './json-shape.ts';
import { FieldsPlan } from './reading-plan.ts';
import { RememberedText } from './remembered-text.ts';
import { RowReader } from './row-reader.ts';

/** How objects of one kind are read. */
export interface KindReading {
  readonly plan: FieldsPlan;
  /** One row for all objects of the kind: each is decoded before the next is read. */
  readonly row: Row;
}

/** The beginning of an object, up to its kind. */
interface Head {
  readonly text: RememberedText;
  readonly reading: KindReading;
}

const MOST_HEADS = 32;

/**
 * Reads Kubernetes objects under a cursor into rows, by the shape of their kind. Keeps what it learned between files.
 */
export class ObjectRows {
  readonly cursor = new JsonCursor();
  private readonly reader = new RowReader(this.cursor);
  private readonly readings = new Map<string, KindReading>();
  private readonly heads: Head[] = [];

  /** The row is valid until the next object of its kind is read. */
  read({ plan, row }: KindReading): Row {
    clear(row);
    this.reader.readInto(row, plan);
    return row;
  }

  /** How to read the next object; undefined if its kind does not come first, or if it is a list. */
  readingOfNext(): KindReading | undefined {
    const cursor = this.cursor;
    for (const head of this.heads) if (head.text.standsAt(cursor.view, cursor.pos)) return head.reading;
    const start = cursor.pos;
    const kind = this.peekKind();
    const end = cursor.pos;
    cursor.pos = start;
    if (kind === undefined || kind === '' || kind.endsWith('List')) return undefined;
    const reading = this.readingOf(kind);
    const text = new RememberedText();
    text.remember(cursor.view, start, end);
    this.heads.unshift({ text, reading });
    if (this.heads.length > MOST_HEADS) this.heads.pop();
    return reading;
  }

  private peekKind(): string | undefined {
    const cursor = this.cursor;
    cursor.expect(OPEN_BRACE);
    if (cursor.peek() === CLOSE_BRACE) return undefined;
    do {
      const key = cursor.readKey();
      const value = key === 'kind' || key === 'apiVersion' ? cursor.readValue() : undefined;
      if (key === 'kind') return typeof value === 'string' ? value : undefined;
      if (key !== 'apiVersion') return undefined;
    } while (cursor.another(CLOSE_BRACE));
    return undefined;
  }

  private readingOf(kind: string): KindReading {
    const known = this.readings.get(kind);
    if (known !== undefined) return known;
    const shape = shapeInFile(kind);
    const reading = { plan: new FieldsPlan(shape, ''), row: emptyRow(shape) };
    this.readings.set(kind, reading);
    return reading;
  }
}
