import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import { FieldProblem } from '../kube/field-problem.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET } from '../kube/read/json-cursor.ts';
import { JsonProblem } from '../kube/read/json-problem.ts';
import { type Fields, fields, type Row, text } from '../kube/read/json-shape.ts';
import { RowReader } from '../kube/read/row-reader.ts';
import { apiVersionOf, type Resource } from './resource.ts';

export interface ListMetadata {
  readonly resourceVersion: string;
  /** Token for the next page; '' on the last. */
  readonly continue: string;
}

/** Receives the items of a list. */
export interface ItemTaker {
  /** If it throws, the item is set aside. */
  take(row: Row): void;
  /** An item as JSON.parse returns it. */
  setAside(raw: unknown, problem: unknown): void;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly row: Row; readonly resourceVersion: string }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }
  | { readonly type: 'ERROR'; readonly status: unknown };

/**
 * Decodes an API server's bytes into rows, by the shape of their kind: unused fields never become values. It works
 * synchronously, so that one reader serves all kinds.
 */
export class ObjectReader {
  private readonly reader = new RowReader();
  private readonly versioned = new Map<Fields, Fields>();
  /** Number of objects read, with which the caches grow. */
  count = 0;

  /** One page of a list. */
  readPage(body: readonly Uint8Array[], resource: Resource, shape: Fields, items: ItemTaker): ListMetadata {
    this.load(body);
    const { cursor } = this.reader;
    let metadata: unknown;
    cursor.expect(OPEN_BRACE);
    if (cursor.peek() === CLOSE_BRACE) cursor.pos++;
    else
      do {
        const key = cursor.readKey();
        if (key === 'metadata') metadata = cursor.readValue();
        else if (key === 'items' && cursor.peek() === OPEN_BRACKET) this.readItems(resource, shape, items);
        else cursor.skipValue();
      } while (cursor.another(CLOSE_BRACE));
    if (!cursor.atEnd()) cursor.stop(cursor.pos, 'the end');
    const { resourceVersion, continue: token } = (metadata ?? {}) as Partial<Record<string, unknown>>;
    if (typeof resourceVersion !== 'string' || resourceVersion === '')
      throw new FieldProblem('metadata.resourceVersion', resourceVersion, 'a string');
    return { resourceVersion, continue: typeof token === 'string' ? token : '' };
  }

  private readItems(resource: Resource, shape: Fields, items: ItemTaker): void {
    const { cursor } = this.reader;
    cursor.pos++;
    if (cursor.peek() === CLOSE_BRACKET) {
      cursor.pos++;
      return;
    }
    do {
      const start = cursor.pos;
      try {
        items.take(this.readObject(shape, resource));
      } catch (problem) {
        if (problem instanceof JsonProblem) throw problem;
        cursor.pos = start;
        items.setAside(cursor.readValue(), problem);
      }
    } while (cursor.another(CLOSE_BRACKET));
  }

  /** One line of a watch. */
  readEvent(line: readonly Uint8Array[], resource: Resource, shape: Fields): WatchEvent {
    this.load(line);
    const { cursor } = this.reader;
    cursor.expect(OPEN_BRACE);
    const typeKey = cursor.readKey();
    const type = cursor.readValue();
    if (typeKey !== 'type' || !cursor.another(CLOSE_BRACE) || cursor.readKey() !== 'object')
      throw new FieldProblem('type', type, 'an event with type and object, in this order');
    switch (type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED': {
        const row = this.readObject(shape, resource);
        cursor.expect(CLOSE_BRACE);
        return { type, row, resourceVersion: resourceVersionOf(row) };
      }
      case 'BOOKMARK': {
        const value = cursor.readValue() as { metadata?: { resourceVersion?: unknown } } | null;
        return { type, resourceVersion: versionText(value?.metadata?.resourceVersion) };
      }
      case 'ERROR':
        return { type, status: cursor.readValue() };
      default:
        throw new FieldProblem('type', type, 'one of ADDED, MODIFIED, DELETED, BOOKMARK, ERROR');
    }
  }

  /** Items of a list lack kind and apiVersion. */
  private readObject(shape: Fields, resource: Resource): Row {
    this.count++;
    const row = this.reader.read(getOrInsert(this.versioned, shape, () => withResourceVersion(shape)));
    row.kind ??= resource.kind;
    row.apiVersion ??= apiVersionOf(resource);
    return row;
  }

  private load(body: readonly Uint8Array[]): void {
    const { cursor } = this.reader;
    cursor.reset();
    for (const piece of body) {
      for (let used = 0; used < piece.length; ) {
        const room = cursor.makeRoom(0);
        const count = Math.min(room.length, piece.length - used);
        room.set(piece.subarray(used, used + count));
        cursor.took(count, false);
        used += count;
      }
    }
    cursor.makeRoom(0);
    cursor.took(0, true);
  }
}

export function resourceVersionOf(row: Row): string {
  return versionText(row.resourceVersion);
}

function versionText(value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new FieldProblem('metadata.resourceVersion', value, 'a string');
}

/** The shape with metadata.resourceVersion. */
function withResourceVersion(shape: Fields): Fields {
  const metadata = shape.members.get('metadata') as Fields;
  return fields({
    ...Object.fromEntries(shape.members),
    metadata: fields({ ...Object.fromEntries(metadata.members), resourceVersion: text() }),
  });
}
