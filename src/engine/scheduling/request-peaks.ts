import type { RequestTable } from '../cluster/request-table.ts';
import type { StateNode } from '../cluster/state-nodes.ts';

/** Ends of peaks are rounded up to this part of the window, so that a node has at most 91 per resource. */
const ROUNDED_PARTS = 90;
/** Smaller differences come from the order of summation; millicores, bytes and pods. */
const NOISE = 1e-6;

/** This much was requested until then, and less since. */
interface Peak {
  readonly resource: string;
  readonly amount: number;
  readonly untilMs: number;
}

interface SeenNode {
  /** By column, in the last pass. */
  readonly requested: Float64Array;
  /** Its allocatable, and the object it was read from. */
  total: Float64Array;
  allocatable: StateNode['allocatable'];
  /** Per resource, in descending order. */
  peaks: readonly Peak[];
}

const NO_PEAKS: readonly Peak[] = [];

/**
 * Requests on each node within a window, such as the last 15 minutes: CronJobs and rollouts repeat, and a destination must have capacity for
 * them too. Includes requests of expected DaemonSets, as free capacity does. Keeps only nodes that had more requested
 * than now; a new node has no peaks.
 */
export class RequestPeaks {
  private readonly nodes = new Map<string, SeenNode>();
  private resources: readonly string[] = [];
  private lastMs = 0;
  private readonly windowMs: number;

  constructor(windowMs: number) {
    this.windowMs = windowMs;
  }

  /**
   * Records current requests. Returns, by column, how much more each row had requested within the window, which moved
   * pods must leave free; undefined if no row had more.
   */
  observe(
    rows: readonly StateNode[],
    free: readonly Float64Array[],
    requests: RequestTable,
    nowMs: number,
  ): readonly Float64Array[] | undefined {
    this.useColumns([...requests.dimensions.keys()]);
    let reserve: Float64Array[] | undefined;
    for (let row = 0; row < rows.length; row++) {
      const { name, allocatable } = rows[row];
      const seen = this.nodes.get(name);
      if (seen === undefined) {
        const total = requests.row(allocatable);
        const requested = total.map((amount, d) => amount - free[d][row]);
        this.nodes.set(name, { requested, total, allocatable, peaks: NO_PEAKS });
        continue;
      }
      if (seen.allocatable !== allocatable || seen.total.length !== free.length) {
        seen.total = requests.row(allocatable);
        seen.allocatable = allocatable;
      }
      this.note(seen, row, free, nowMs);
      for (const { resource, amount } of seen.peaks) {
        const d = requests.dimensions.get(resource);
        if (d === undefined) continue;
        reserve ??= free.map((column) => new Float64Array(column.length));
        reserve[d][row] = Math.max(reserve[d][row], amount - seen.requested[d]);
      }
    }
    if (this.nodes.size > rows.length) this.forgetAllBut(new Set(rows.map(({ name }) => name)));
    this.lastMs = nowMs;
    return reserve;
  }

  private note(seen: SeenNode, row: number, free: readonly Float64Array[], nowMs: number): void {
    const { requested, total, peaks } = seen;
    let ended: Peak[] | undefined;
    for (let d = 0; d < free.length; d++) {
      const now = total[d] - free[d][row];
      if (now < requested[d] - NOISE) {
        ended ??= [];
        ended.push(this.ended(this.resources[d], requested[d]));
      }
      requested[d] = now;
    }
    if (ended === undefined && peaks.length === 0) return;
    const all = [...peaks, ...(ended ?? NO_PEAKS)];
    const isOutdone = (peak: Peak, i: number) =>
      peak.amount <= (requested[this.resources.indexOf(peak.resource)] ?? 0) + NOISE ||
      all.some((other, j) => other.resource === peak.resource && j !== i && outlasts(other, peak, j < i));
    // Also if the clock was set back meanwhile.
    const isRecent = ({ untilMs }: Peak) => Math.abs(nowMs - untilMs) < this.windowMs;
    seen.peaks = all.filter((peak, i) => isRecent(peak) && !isOutdone(peak, i));
  }

  private ended(resource: string, amount: number): Peak {
    const roundedMs = this.windowMs / ROUNDED_PARTS;
    return { resource, amount, untilMs: Math.ceil(this.lastMs / roundedMs) * roundedMs };
  }

  /** The columns of resources that pods currently request. */
  private useColumns(resources: readonly string[]): void {
    const before = this.resources;
    if (before.length === resources.length && before.every((name, d) => name === resources[d])) return;
    this.resources = resources;
    for (const [node, seen] of this.nodes) {
      const gone = before.flatMap((name, d) =>
        seen.requested[d] > 0 && !resources.includes(name) ? [this.ended(name, seen.requested[d])] : [],
      );
      const requested = Float64Array.from(resources, (name) => seen.requested[before.indexOf(name)] ?? 0);
      this.nodes.set(node, { ...seen, requested, total: new Float64Array(), peaks: [...seen.peaks, ...gone] });
    }
  }

  private forgetAllBut(names: ReadonlySet<string>): void {
    for (const name of this.nodes.keys()) if (!names.has(name)) this.nodes.delete(name);
  }
}

/** At least as high and as recent; of two equal ones, the first. */
function outlasts(a: Peak, b: Peak, isFirst: boolean): boolean {
  const isAlike = a.amount === b.amount && a.untilMs === b.untilMs;
  return a.amount >= b.amount && a.untilMs >= b.untilMs && (isFirst || !isAlike);
}
