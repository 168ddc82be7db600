import type { LpBasis, LpColumn, LpSolver } from './linear-program.ts';
import type { Packing, Pattern } from './packing.ts';
import type { Limits } from './value-box.ts';

/** What the master program says of the patterns it has. */
export interface MasterAnswer {
  /** Dollars per hour; no bound at values within the box is above it. */
  readonly price: number;
  /** By class: what one more pod would cost. */
  readonly values: Float64Array;
  /** By host group: what one more host would save; 0 where there is no end of them. */
  readonly rents: Float64Array;
}

/**
 * Picks, in fractions, among the patterns found so far: all pods covered, no more hosts than there are. With few
 * patterns its values would jump from one extreme to the other; so they are kept in a box (Marsten's boxstep): a
 * pod may go without a host at the most that its class may be worth, and one too many earns the least.
 */
export class Master {
  private readonly packing: Packing;
  /** One column per class for pods without a host, one for pods too many, then the patterns. */
  private readonly columns: LpColumn[];
  private readonly rows: { readonly atLeast: number; readonly atMost: number }[];
  /** By host group; -1 where there is no end of hosts. */
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
