/** A sparse column of the matrix. */
export interface LpColumn {
  readonly cost: number;
  readonly rows: readonly number[];
  readonly values: readonly number[];
}

/** A basis in the solver's own representation. */
export interface LpBasis {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
}

/** Minimise cost · x with x ≥ 0 and every row within its limits. */
export interface LinearProgram {
  readonly columns: readonly LpColumn[];
  readonly rows: readonly { readonly atLeast: number; readonly atMost: number }[];
  /** Basis of a program with the same rows and a prefix of these columns: saves most of the work. */
  readonly start?: LpBasis;
}

export type LpSolution =
  | {
      readonly solved: true;
      readonly objective: number;
      readonly values: Float64Array;
      /** By row: the cost of one more on its right-hand side. Not negative where only `atLeast` holds. */
      readonly duals: Float64Array;
      readonly basis?: LpBasis;
    }
  | { readonly solved: false };

/**
 * Solves linear programs. No result depends on its correctness: every bound is recomputed from the duals, whatever they
 * are (see lagrangian.ts).
 */
export interface LpSolver {
  solve(lp: LinearProgram): LpSolution;
}
