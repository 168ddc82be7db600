/** A sparse column of the matrix. */
export interface LpColumn {
  readonly cost: number;
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

/** Minimise cost · x with x ≥ 0 and every row within its limits. */
export interface LinearProgram {
  readonly columns: readonly LpColumn[];
  readonly rows: readonly { readonly atLeast: number; readonly atMost: number }[];
}

/** By row: the cost of one more on its right-hand side. Not negative where only `atLeast` holds. undefined: not solved. */
export type Duals = Float64Array | undefined;

/**
 * Solves linear programs. No result depends on its correctness: every bound is recomputed from the duals, whatever they
 * are (see place-prices.ts).
 */
export interface LpSolver {
  solve(lp: LinearProgram): Duals;
}
