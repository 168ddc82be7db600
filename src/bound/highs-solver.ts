import type { Highs, ModelData } from 'highs';
import type { Duals, LinearProgram, LpSolver } from '../engine/bound/linear-program.ts';

/** HiGHS as WebAssembly. Loaded on first use: it is 3.5 MB, and only bounds need it. */
export async function highsSolver(): Promise<LpSolver> {
  const module = await import('highs');
  // Its types describe the CommonJS build; Node loads the other one, where `default` is the function itself.
  const load = module.default as unknown as typeof module.default.default;
  const highs = await load();
  return { solve: (lp) => solve(highs, lp) };
}

function solve(highs: Highs, lp: LinearProgram): Duals {
  try {
    return highs.withModel(modelOf(highs, lp), (model) => {
      model.options.set({ output_flag: false });
      model.run();
      return model.getModelStatus() === highs.constants.modelStatus.optimal ? model.getSolution().rowDual : undefined;
    });
  } catch {
    // Out of memory or an internal abort: the caller keeps its bound without the solver.
    return undefined;
  }
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
