import type { Highs, Model, ModelData } from 'highs';
import type { LinearProgram, LpBasis, LpSolution, LpSolver } from '../engine/bound/linear-program.ts';

/** Value of the option simplex_strategy. */
const PRIMAL = 4;
const FAILED: LpSolution = { solved: false };

/** HiGHS as WebAssembly. Loaded on first use: it is 3.5 MB, and only bounds need it. */
export async function highsSolver(): Promise<LpSolver> {
  const module = await import('highs');
  // Its types describe the CommonJS build; Node loads the other one, where `default` is the function itself.
  const load = module.default as unknown as typeof module.default.default;
  const highs = await load();
  return { solve: (lp) => solve(highs, lp) };
}

function solve(highs: Highs, lp: LinearProgram): LpSolution {
  try {
    return highs.withModel(modelOf(highs, lp), (model): LpSolution => {
      model.options.set({ output_flag: false });
      if (lp.start !== undefined) startFrom(highs, model, lp, lp.start);
      model.run();
      if (model.getModelStatus() !== highs.constants.modelStatus.optimal) return FAILED;
      const { colValue, rowDual } = model.getSolution();
      const { colStatus, rowStatus } = model.getBasis();
      return {
        solved: true,
        objective: model.getObjectiveValue(),
        values: colValue,
        duals: rowDual,
        basis: { columns: colStatus, rows: rowStatus },
      };
    });
  } catch {
    // Out of memory or an internal abort: the caller keeps its bound without the solver.
    return FAILED;
  }
}

/** New columns enter at 0. The old solution is still feasible, so the primal method continues from it. */
function startFrom(highs: Highs, model: Model, { columns }: LinearProgram, start: LpBasis): void {
  const colStatus = new Int32Array(columns.length).fill(highs.constants.basisStatus.lower);
  colStatus.set(start.columns);
  model.options.set({ presolve: 'off', simplex_strategy: PRIMAL });
  model.setBasis({ colStatus, rowStatus: start.rows });
}

function modelOf(highs: Highs, { columns, rows }: LinearProgram): ModelData {
  const starts = new Int32Array(columns.length + 1);
  columns.forEach((column, j) => {
    starts[j + 1] = starts[j] + column.rows.length;
  });
  const indices = new Int32Array(starts[columns.length]);
  const values = new Float64Array(starts[columns.length]);
  columns.forEach((column, j) => {
    indices.set(column.rows, starts[j]);
    values.set(column.values, starts[j]);
  });
  return {
    numCols: columns.length,
    numRows: rows.length,
    colCost: Float64Array.from(columns, (c) => c.cost),
    colLower: new Float64Array(columns.length),
    colUpper: new Float64Array(columns.length).fill(highs.infinity),
    rowLower: Float64Array.from(rows, (r) => r.atLeast),
    rowUpper: Float64Array.from(rows, (r) => r.atMost),
    matrix: { format: 'csc', numRows: rows.length, numCols: columns.length, starts, indices, values },
  };
}
