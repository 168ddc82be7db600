import type { Commitment, CoveredBy } from '../cluster/commitment.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';

/** List prices of nodes, in dollars per hour, summed by the commitments that pay for them. */
export type Spend = ReadonlyMap<CoveredBy, number>;

export interface Coverage {
  /** Spend at list prices that commitments pay for. */
  readonly dollarsPerHour: number;
  /** The same by commitment, and of each list of nodes that can take each other's place. */
  readonly byCommitment: ReadonlyMap<Commitment, number>;
  readonly bySpend: Spend;
  /** Dollars of commitments used for each such list, at their rates. */
  readonly paidFor: Spend;
}

/** Dollars per hour that are rounding errors. */
const TINY = 1e-12;

/**
 * The cost of a whole cluster: commitments are paid in any case, and nodes beyond them at their list price. Where several
 * commitments match a node, they are used so that together they pay for as much as possible; the order of nodes and
 * commitments has no influence on that.
 */
export function clusterCost(commitments: readonly Commitment[], spend: Spend): number {
  let cost = 0;
  for (const { dollarsPerHour } of commitments) cost += dollarsPerHour;
  for (const dollars of spend.values()) cost += dollars;
  return cost - coverage(spend).dollarsPerHour;
}

/** A maximum flow from spend to the commitments that match it, by augmenting paths. */
export function coverage(spend: Spend): Coverage {
  const byCommitment = new Map<Commitment, number>();
  const bySpend = new Map<CoveredBy, number>();
  const flows: Flows = new Map();
  let total = 0;
  for (const [coveredBy, dollars] of spend) {
    let open = dollars;
    for (let path = pathFrom(coveredBy, byCommitment, flows); open > TINY && path !== undefined; ) {
      const amount = Math.min(open, widthOf(path, byCommitment, flows));
      for (const { to, of, from } of path) {
        addTo(flowsOf(flows, to), of, amount);
        if (from !== undefined) addTo(flowsOf(flows, from), of, -amount);
      }
      addTo(byCommitment, path[0].to, amount);
      open -= amount;
      total += amount;
      path = pathFrom(coveredBy, byCommitment, flows);
    }
    if (coveredBy.length > 0) bySpend.set(coveredBy, dollars - open);
  }
  const paidFor = new Map<CoveredBy, number>();
  for (const [{ dollarsPerHour, coversDollarsPerHour }, own] of flows)
    for (const [coveredBy, dollars] of own)
      addTo(paidFor, coveredBy, coversDollarsPerHour > 0 ? (dollars * dollarsPerHour) / coversDollarsPerHour : 0);
  return { dollarsPerHour: total, byCommitment, bySpend, paidFor };
}

/** How much more of such spend commitments would pay for. */
export function unusedFor(spend: Spend, coveredBy: CoveredBy): number {
  if (coveredBy.length === 0) return 0;
  const most = new Map(spend).set(coveredBy, Infinity);
  return Math.max(0, coverage(most).dollarsPerHour - coverage(spend).dollarsPerHour);
}

export function withSpend(spend: Spend, changes: Iterable<readonly [CoveredBy, number]>): Spend {
  const out = new Map(spend);
  for (const [coveredBy, dollars] of changes) addTo(out, coveredBy, dollars);
  return out;
}

type Flows = Map<Commitment, Map<CoveredBy, number>>;

/** Spend that a commitment pays for instead of the one before. */
interface Shift {
  readonly to: Commitment;
  readonly of: CoveredBy;
  readonly from: Commitment | undefined;
}

/** Shifts that free a commitment for this spend, last first; undefined if none has anything left. */
function pathFrom(
  start: CoveredBy,
  used: ReadonlyMap<Commitment, number>,
  flows: Flows,
): readonly [Shift, ...Shift[]] | undefined {
  const reached = new Map<Commitment, Shift>();
  const queue: Commitment[] = [];
  const reach = (of: CoveredBy, from: Commitment | undefined) => {
    for (const to of of) {
      if (reached.has(to)) continue;
      reached.set(to, { to, of, from });
      queue.push(to);
    }
  };
  reach(start, undefined);
  for (const commitment of queue) {
    if (commitment.coversDollarsPerHour - (used.get(commitment) ?? 0) > TINY) {
      const last = reached.get(commitment) as Shift;
      const path: [Shift, ...Shift[]] = [last];
      for (let { from } = last; from !== undefined; { from } = path[path.length - 1])
        path.push(reached.get(from) as Shift);
      return path;
    }
    for (const [of, dollars] of flows.get(commitment) ?? []) if (dollars > TINY) reach(of, commitment);
  }
  return undefined;
}

function widthOf(path: readonly [Shift, ...Shift[]], used: ReadonlyMap<Commitment, number>, flows: Flows): number {
  const [{ to }] = path;
  let width = to.coversDollarsPerHour - (used.get(to) ?? 0);
  for (const { of, from } of path) if (from !== undefined) width = Math.min(width, flows.get(from)?.get(of) ?? 0);
  return width;
}

function flowsOf(flows: Flows, commitment: Commitment): Map<CoveredBy, number> {
  return getOrInsert(flows, commitment, () => new Map());
}

function addTo<K>(sums: Map<K, number>, key: K, by: number): void {
  sums.set(key, (sums.get(key) ?? 0) + by);
}
