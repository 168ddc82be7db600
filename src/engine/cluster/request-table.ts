import type { Resources } from './objects.ts';

export const CPU = 0;
export const MEMORY = 1;
/** Every pod uses one. */
export const PODS = 2;

export type RequestId = number;

/** Far above the resources of real clusters. Every one is a column of all nodes, and any pod may invent names. */
const MOST_RESOURCES = 200;
/** All names beyond: no node has any of it, so that pods which ask for some have no place. */
const FURTHER = 'further resources';

/**
 * Requested resources and the distinct requests of pods: a row of amounts per request, one column per resource. Equal
 * requests share a row.
 */
export class RequestTable {
  /** Column of a resource name; `columnOf` also knows those beyond the limit. */
  readonly dimensions = new Map<string, number>([
    ['cpu', CPU],
    ['memory', MEMORY],
    ['pods', PODS],
  ]);
  private readonly rows: Float64Array[] = [];
  /** Columns that each request names, even with 0, besides the standard ones. */
  private readonly special: (readonly number[])[] = [];
  private readonly byObject = new Map<Resources, RequestId>();
  private readonly byText = new Map<string, RequestId>();
  private readonly asked: (Float64Array | undefined)[] = [];
  /** Number of distinct requests at the time. */
  private askedBy = 0;

  idOf(requests: Resources): RequestId {
    let id = this.byObject.get(requests);
    if (id !== undefined) return id;
    const text = requestText(requests);
    id = this.byText.get(text);
    if (id === undefined) {
      for (const name in requests) this.addColumn(name);
      const row = this.row(requests, 1);
      if (this.isOverfull)
        for (const name in requests) if (!this.dimensions.has(name)) row[this.columnOf(name)] += requests[name];
      id = this.rows.push(row) - 1;
      const columns = new Set(Object.keys(requests).map((name) => this.columnOf(name)));
      this.special.push([...columns].filter((d) => d > PODS));
      this.byText.set(text, id);
    }
    this.byObject.set(requests, id);
    return id;
  }

  private addColumn(name: string): void {
    if (this.dimensions.has(name)) return;
    const column = this.dimensions.size < MOST_RESOURCES ? name : FURTHER;
    if (!this.dimensions.has(column)) this.dimensions.set(column, this.dimensions.size);
  }

  /** Of a name that a request has. */
  columnOf(name: string): number {
    return (this.dimensions.get(name) ?? this.dimensions.get(FURTHER)) as number;
  }

  /** There were too many names, and which of them have a column depends on the order of the requests. */
  get isOverfull(): boolean {
    return this.dimensions.has(FURTHER);
  }

  /** Amounts by column; columns added after the row count as 0. */
  amounts(id: RequestId): Float64Array {
    return this.rows[id];
  }

  /** Distinct requested amounts of one resource, ascending. */
  askedOf(dimension: number): Float64Array {
    if (this.askedBy !== this.rows.length) this.asked.length = 0;
    this.askedBy = this.rows.length;
    this.asked[dimension] ??= Float64Array.from(new Set(this.rows.map((row) => row[dimension] ?? 0))).sort();
    return this.asked[dimension];
  }

  /** Whether one of these requests names every column. */
  isFull(ids: Int32Array): boolean {
    const idle = this.dimensions.size - PODS - 1;
    if (idle === 0) return true;
    const inUse = new Uint8Array(this.rows.length);
    for (let i = 0; i < ids.length; i++) inUse[ids[i]] = 1;
    const named = new Set<number>();
    for (const [id, columns] of this.special.entries()) if (inUse[id] === 1) for (const d of columns) named.add(d);
    return named.size === idle;
  }

  /** Extends every row to all columns; called once after the last request. */
  seal(): void {
    const width = this.dimensions.size;
    for (let i = 0; i < this.rows.length; i++) {
      if (this.rows[i].length === width) continue;
      const row = new Float64Array(width);
      row.set(this.rows[i]);
      this.rows[i] = row;
    }
  }

  /** A row of any resource list, without resources that no pod requests. */
  row(resources: Resources, pods = resources.pods ?? 0): Float64Array {
    const row = new Float64Array(this.dimensions.size);
    for (const name in resources) {
      const column = this.dimensions.get(name);
      if (column !== undefined) row[column] = resources[name];
    }
    row[PODS] = pods;
    return row;
  }
}

function requestText(requests: Resources): string {
  const names = Object.keys(requests);
  if (names.length > 1) names.sort();
  let text = '';
  for (const name of names) text += `${name}=${requests[name]};`;
  return text;
}
