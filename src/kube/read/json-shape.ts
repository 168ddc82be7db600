/**
 * Which fields of an object a decoder reads, and their names in a row. A row is flat: a nested object shares the row of
 * the object around it, a list of objects is one field that holds rows. All rows of a shape have the same fields, and fields
 * that no decoder reads never become values.
 */
export type Shape = Leaf | Fields | Rows;

export interface Leaf {
  /**
   * text: a string that rarely repeats. time: RFC 3339, becomes milliseconds. shared: equal texts become one identical
   * value. whole: anything.
   */
  readonly op: 'text' | 'time' | 'shared' | 'whole';
  /** In the row; undefined: as in the object. */
  readonly name?: string;
  /** What decoders need of a value whose text is long. */
  readonly shorten?: (value: unknown) => unknown;
}

export interface Fields {
  readonly op: 'fields';
  readonly members: ReadonlyMap<string, Member>;
  /** The same by length of the key in bytes. */
  readonly byLength: readonly (readonly { readonly key: Uint8Array; readonly member: Member }[] | undefined)[];
  /** A row without values. */
  readonly empty: Row;
}

export interface Rows {
  readonly op: 'rows';
  readonly element: Fields;
  readonly name?: string;
}

/** A shape with its name in the row. */
export type Member = (Leaf & { readonly name: string }) | (Rows & { readonly name: string }) | Fields;

export type Row = Record<string, unknown>;

export function text(name?: string): Leaf {
  return { op: 'text', name };
}

export function time(name?: string): Leaf {
  return { op: 'time', name };
}

export function shared(name?: string): Leaf {
  return { op: 'shared', name };
}

/** Shared; of a long one only what `shorten` leaves stays in memory. */
export function sharedInShort(shorten: (value: unknown) => unknown): Leaf {
  return { op: 'shared', shorten };
}

export function whole(): Leaf {
  return { op: 'whole' };
}

export function rows(element: Fields): Rows {
  return { op: 'rows', element };
}

export function fields(shapes: Readonly<Record<string, Shape | Member>>): Fields {
  const members = new Map<string, Member>();
  const byLength: { key: Uint8Array; member: Member }[][] = [];
  const names = new Set<string>();
  for (const [key, shape] of Object.entries(shapes)) {
    const member = shape.op === 'fields' ? shape : { ...shape, name: shape.name ?? key };
    for (const name of member.op === 'fields' ? Object.keys(member.empty) : [member.name]) {
      if (names.has(name)) throw new Error(`two fields of a row are named ${name}`);
      names.add(name);
    }
    members.set(key, member);
    const bytes = new TextEncoder().encode(key);
    byLength[bytes.length] ??= [];
    byLength[bytes.length].push({ key: bytes, member });
  }
  return { op: 'fields', members, byLength, empty: emptyRow([...names]) };
}

/** By JSON.parse, because V8 copies its objects 15 times as fast as those that get one field after the other. */
function emptyRow(names: readonly string[]): Row {
  const row: Row = JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))));
  for (const name of names) row[name] = undefined;
  return row;
}
