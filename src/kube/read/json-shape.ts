/**
 * Which fields of an object a decoder reads, and their columns in a row. A row is an array: all rows of a kind have one
 * layout, so reading one needs no lookups, and fields that no decoder reads never become values.
 *
 * A nested object shares the row; a list of objects is one column that holds rows.
 */
export type Shape = Leaf | Fields | Rows;

export interface Leaf {
  /**
   * text: a string that rarely repeats. time: RFC 3339, becomes milliseconds. shared: equal texts become one identical
   * value. whole: anything.
   */
  readonly op: 'text' | 'time' | 'shared' | 'whole';
  readonly column: number;
  /** What decoders need of a value whose text is long. */
  shorten?(value: unknown): unknown;
}

export interface Fields {
  readonly op: 'fields';
  readonly members: ReadonlyMap<string, Shape>;
  /** The same by length of the key in bytes. */
  readonly byLength: readonly (readonly { readonly key: Uint8Array; readonly member: Shape }[] | undefined)[];
  /** Columns that the members use. */
  readonly width: number;
}

export interface Rows {
  readonly op: 'rows';
  readonly column: number;
  readonly element: Fields;
}

export type Row = unknown[];

export function emptyRow(shape: Fields): Row {
  return new Array(shape.width).fill(undefined);
}

export function text(column: number): Leaf {
  return { op: 'text', column };
}

export function time(column: number): Leaf {
  return { op: 'time', column };
}

export function shared(column: number): Leaf {
  return { op: 'shared', column };
}

/** Shared; of a long one only what `shorten` leaves stays in memory. */
export function sharedInShort(column: number, shorten: (value: unknown) => unknown): Leaf {
  return { op: 'shared', column, shorten };
}

export function whole(column: number): Leaf {
  return { op: 'whole', column };
}

export function fields(members: Readonly<Record<string, Shape>>): Fields {
  const all = new Map(Object.entries(members));
  const byLength: { key: Uint8Array; member: Shape }[][] = [];
  for (const [name, member] of all) {
    const key = new TextEncoder().encode(name);
    byLength[key.length] ??= [];
    byLength[key.length].push({ key, member });
  }
  const widths = [...all.values()].map((shape) => (shape.op === 'fields' ? shape.width : shape.column + 1));
  return { op: 'fields', members: all, byLength, width: Math.max(0, ...widths) };
}

export function rows(column: number, element: Fields): Rows {
  return { op: 'rows', column, element };
}
