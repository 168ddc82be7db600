import { amountOf } from '../cluster/objects.ts';
import type { StateNode } from '../cluster/state-nodes.ts';
import { rowIn } from './carry-over.ts';
import type { CompiledCluster } from './compiled-cluster.ts';

/** Ends of peaks are rounded up to this part of the window, so that a node has at most 91 per resource. */
const ROUNDED_PARTS = 90;
/** Smaller differences come from the order of summation; millicores, bytes and pods. */
const NOISE = 1e-6;

/** How long peaks count; 0: not at all. */
export interface PeakWindows {
  readonly peakWindowMs: number;
  /** Of pods of Jobs, if that is longer: most of them come again, and what is free meanwhile is needed then. */
  readonly jobPeakWindowMs: number;
}

/** This much was requested until then, and less since. */
interface Peak {
  readonly resource: string;
  readonly amount: number;
  readonly untilMs: number;
}

/** Requests at the time of a pass. */
interface Requested {
  readonly atMs: number;
  readonly rows: readonly StateNode[];
  readonly resources: readonly string[];
  /** By resource, then by row. */
  readonly requested: readonly Float64Array[];
}

const NO_PEAKS: readonly Peak[] = [];

/** What peaks are observed in. */
type Observed = Pick<CompiledCluster, 'rows' | 'free' | 'requests' | 'podsOfRow' | 'facts' | 'requestOfPod'>;

/**
 * Requests on each node within a window, such as the last 15 minutes: CronJobs and rollouts repeat, and a destination must have capacity for
 * them too. Includes requests of expected DaemonSets, as free capacity does.
 */
export class RequestPeaks {
  private readonly ofAll: Peaks | undefined;
  private readonly ofJobs: Peaks | undefined;

  constructor({ peakWindowMs, jobPeakWindowMs }: PeakWindows) {
    this.ofAll = peakWindowMs > 0 ? new Peaks(peakWindowMs) : undefined;
    this.ofJobs = jobPeakWindowMs > peakWindowMs ? new Peaks(jobPeakWindowMs) : undefined;
  }

  /**
   * Records current requests. Returns, by column, how much more each row had requested within the window, which moved
   * pods must leave free; undefined if no row had more.
   */
  observe(cluster: Observed, nowMs: number): readonly Float64Array[] | undefined {
    const now = { atMs: nowMs, rows: cluster.rows, resources: [...cluster.requests.dimensions.keys()] };
    const all = this.ofAll?.observe({ ...now, requested: requestedIn(cluster) });
    const ofJobs = this.ofJobs?.observe({ ...now, requested: requestedByJobs(cluster) });
    return all && ofJobs ? higherOf(all, ofJobs) : (all ?? ofJobs);
  }
}

/** By column, then by row. */
function requestedIn({ rows, free, requests }: Observed): Float64Array[] {
  return [...requests.dimensions.keys()].map((name, d) =>
    free[d].map((amount, row) => (amountOf(rows[row].allocatable, name) ?? 0) - amount),
  );
}

function requestedByJobs({ rows, requests, podsOfRow, facts, requestOfPod }: Observed): Float64Array[] {
  const out = Array.from({ length: requests.dimensions.size }, () => new Float64Array(rows.length));
  for (let row = 0; row < rows.length; row++) {
    for (const i of podsOfRow[row]) {
      if (!facts[i].ofJob || facts[i].terminal) continue;
      const amounts = requests.amounts(requestOfPod[i]);
      for (let d = 0; d < out.length; d++) out[d][row] += amounts[d];
    }
  }
  return out;
}

function higherOf(a: readonly Float64Array[], b: readonly Float64Array[]): readonly Float64Array[] {
  return a.map((column, d) => column.map((amount, row) => Math.max(amount, b[d][row])));
}

/** Keeps peaks only of nodes that had more requested than now; a new node has none. */
class Peaks {
  /** By name of the node, in descending order per resource. */
  private peaks: ReadonlyMap<string, readonly Peak[]> = new Map();
  private last: Requested | undefined;
  private readonly windowMs: number;

  constructor(windowMs: number) {
    this.windowMs = windowMs;
  }

  /** How much more each row had requested within the window. */
  observe(now: Requested): Float64Array[] | undefined {
    const { rows, resources, requested } = now;
    const peaks = new Map<string, readonly Peak[]>();
    let reserve: Float64Array[] | undefined;
    const { last } = this;
    const earlierRow = rowIn(last?.rows ?? []);
    for (let row = 0; row < rows.length; row++) {
      const { name } = rows[row];
      const earlier = earlierRow(name, row) ?? -1;
      if (last === undefined || earlier < 0) continue;
      const own = this.stillHigher(
        [...(this.peaks.get(name) ?? NO_PEAKS), ...this.ended(last, earlier, now, row)],
        now,
        row,
      );
      if (own.length === 0) continue;
      peaks.set(name, own);
      for (const { resource, amount } of own) {
        const d = resources.indexOf(resource);
        if (d < 0) continue;
        reserve ??= requested.map((column) => new Float64Array(column.length));
        reserve[d][row] = Math.max(reserve[d][row], amount - requested[d][row]);
      }
    }
    this.peaks = peaks;
    this.last = now;
    return reserve;
  }

  /** What was requested in the last pass and is not now. */
  private ended(last: Requested, earlier: number, now: Requested, row: number): readonly Peak[] {
    let out: Peak[] | undefined;
    for (let d = 0; d < last.resources.length; d++) {
      const amount = last.requested[d][earlier];
      const resource = last.resources[d];
      if (requestedOf(now, resource, row, d) >= amount - NOISE) continue;
      const roundedMs = this.windowMs / ROUNDED_PARTS;
      out ??= [];
      out.push({ resource, amount, untilMs: Math.ceil(last.atMs / roundedMs) * roundedMs });
    }
    return out ?? NO_PEAKS;
  }

  private stillHigher(all: readonly Peak[], now: Requested, row: number): readonly Peak[] {
    if (all.length === 0) return all;
    const isOutdone = (peak: Peak, i: number) =>
      peak.amount <= requestedOf(now, peak.resource, row) + NOISE ||
      all.some((other, j) => other.resource === peak.resource && j !== i && outlasts(other, peak, j < i));
    // Also if the clock was set back meanwhile.
    const isRecent = ({ untilMs }: Peak) => Math.abs(now.atMs - untilMs) < this.windowMs;
    return all.filter((peak, i) => isRecent(peak) && !isOutdone(peak, i));
  }
}

/** 0 for a resource that no pod requests. `column`: where it probably is. */
function requestedOf({ resources, requested }: Requested, resource: string, row: number, column = 0): number {
  const d = resources[column] === resource ? column : resources.indexOf(resource);
  return d < 0 ? 0 : requested[d][row];
}

/** At least as high and as recent; of two equal ones, the first. */
function outlasts(a: Peak, b: Peak, isFirst: boolean): boolean {
  const isAlike = a.amount === b.amount && a.untilMs === b.untilMs;
  return a.amount >= b.amount && a.untilMs >= b.untilMs && (isFirst || !isAlike);
}
