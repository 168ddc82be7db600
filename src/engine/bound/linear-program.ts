/** A column of the matrix: where it is not zero. */
export interface LpColumn {
  readonly cost: number;
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

/** Where a solution sits, in the solver's own terms. */
export interface LpBasis {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

/** Minimise cost · x with x ≥ 0 and every row within its limits. */
export interface LinearProgram {
  readonly columns: readonly LpColumn[];
  readonly rows: readonly { readonly atLeast: number; readonly atMost: number }[];
  /** Of a program with the same rows and the first of these columns: saves most of the work. */
  readonly start?: LpBasis;
}

export type LpSolution =
  | {
      readonly solved: true;
      readonly objective: number;
      readonly values: Float64Array;
      /** By row: what one more on its right-hand side would cost. Not negative where only `atLeast` holds. */
      readonly duals: Float64Array;
      readonly basis?: LpBasis;
    }
  | { readonly solved: false };

/**
 * Solves linear programs. Nothing that we claim depends on its answers being right: every bound is worked out
 * anew from the duals, whatever they are (see lagrangian.ts).
 */
export interface LpSolver {
  solve(lp: LinearProgram): LpSolution;
}
