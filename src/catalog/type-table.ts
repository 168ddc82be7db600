import { readFileSync } from 'node:fs';

/** Sizes of a cloud's types, by columns; `generate/make-bundled-tables.ts` writes it. */
export interface TypeTable {
  readonly names: readonly string[];
  readonly vcpus: readonly number[];
  readonly memoryMib: readonly number[];
  readonly gpus: readonly number[];
  /** Indices of the types with arm64; the others have amd64. */
  readonly arm64: readonly number[];
}

/** A table of types as bundled. Plain ASCII; latin1 spares the check for multi-byte characters. */
export function readTypes<T>(cloud: string): T {
  return JSON.parse(readFileSync(new URL(`./data/${cloud}-types.json`, import.meta.url), 'latin1'));
}
