import type { LpBasis, LpColumn, LpSolver } from './linear-program.ts';
import type { Packing, Pattern } from './packing.ts';
import type { Limits } from './value-box.ts';

/** The master's solution over the known patterns. */
export interface MasterAnswer {
  /** Dollars per hour; no bound at values within the box is above it. */
  readonly price: number;
  /** By class: the cost of one more pod. */
  readonly values: Float64Array;
  /** By host group: savings by one more host; 0 for unlimited groups. */
  readonly rents: Float64Array;
}

/**
 * Selects fractionally among the known patterns: all pods covered, limited hosts. With few patterns its values would
 * oscillate, so they are kept in a box (Marsten's boxstep): a pod may stay without a host at its class's upper limit,
 * and a surplus pod earns the lower limit.
 */
export class Master {
  private readonly packing: Packing;
  /** One column per class for pods without a host, one for surplus pods, then the patterns. */
  private readonly columns: LpColumn[];
  private readonly rows: { readonly atLeast: number; readonly atMost: number }[];
  /** By host group; -1 for unlimited ones. */
  private readonly rowOfHost: Int32Array;
  private basis: LpBasis | undefined;

  constructor(packing: Packing) {
    this.packing = packing;
    const { classes, hosts } = packing;
    this.rows = classes.map(({ pods }) => ({ atLeast: pods, atMost: Infinity }));
    this.rowOfHost = Int32Array.from(hosts, ({ count }) =>
      count === Infinity ? -1 : this.rows.push({ atLeast: -Infinity, atMost: count }) - 1,
    );
    this.columns = [1, -1].flatMap((sign) => classes.map((_, c) => ({ cost: 0, rows: [c], values: [sign] })));
  }

  keepIn({ least, most }: Limits): void {
    const { columns } = this;
    most.forEach((value, c) => {
      columns[c] = { ...columns[c], cost: value };
    });
    least.forEach((value, c) => {
      const j = most.length + c;
      columns[j] = { ...columns[j], cost: -value };
    });
  }

  add(host: number, { classes, pods }: Pattern): void {
    const row = this.rowOfHost[host];
    this.columns.push({
      cost: this.packing.hosts[host].price,
      rows: row < 0 ? classes : [...classes, row],
      values: row < 0 ? pods : [...pods, 1],
    });
  }

  /** undefined if the solver fails. */
  solve(solver: LpSolver): MasterAnswer | undefined {
    const solution = solver.solve({ columns: this.columns, rows: this.rows, start: this.basis });
    if (!solution.solved) return undefined;
    this.basis = solution.basis;
    const { objective, duals } = solution;
    return {
      price: objective,
      values: Float64Array.from(this.packing.classes, (_, c) => Math.max(0, duals[c])),
      rents: Float64Array.from(this.rowOfHost, (row) => (row < 0 ? 0 : Math.max(0, -duals[row]))),
    };
  }
}
