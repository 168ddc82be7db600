import type { CoveredBy } from '../cluster/commitment.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import { type Spend, unusedFor, withSpend } from '../cost/cluster-cost.ts';
import { costBetween } from '../cost/cluster-spend.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { Simulation } from '../scheduling/simulation.ts';
import type { RequirementsId } from '../selection/requirement-space.ts';
import type { Move } from './move.ts';
import { expectedPrice, type Replacement } from './replacement.ts';

/**
 * The savings of the whole cluster from removing nodes. Without commitments, their price. With commitments, a node that is
 * paid for by one saves nothing unless other spend takes its place, and a new one costs nothing where something is unused.
 */
export class MoveCost {
  /** List price of the nodes, in dollars per hour. */
  readonly price: number;
  /** Dollars per hour that the cluster costs less without them. */
  readonly worth: number;
  private readonly cluster: CompiledCluster;
  private readonly now: Spend | undefined;
  private readonly left: Spend | undefined;
  private unused: Map<CoveredBy, number> | undefined;

  constructor(
    cluster: CompiledCluster,
    spend: Spend | undefined,
    candidates: readonly Pick<Candidate, 'price' | 'coveredBy'>[],
  ) {
    this.cluster = cluster;
    this.price = candidates.reduce((sum, c) => sum + c.price, 0);
    this.now = spend;
    this.left =
      spend &&
      withSpend(
        spend,
        candidates.flatMap((c) => negated(cluster.types.spend(c.price, c.coveredBy))),
      );
    this.worth = spend === undefined ? this.price : costBetween(cluster, spend, this.left as Spend);
  }

  static of({ cluster, spend }: Simulation, candidates: readonly Candidate[]): MoveCost {
    return new MoveCost(cluster, spend.now, candidates);
  }

  get hasCommitments(): boolean {
    return this.left !== undefined;
  }

  /** A commitment pays for the nodes, at least in part. */
  get isCovered(): boolean {
    return this.worth < this.price - 1e-9;
  }

  /** Dollars per hour that the cluster saves if these are launched, each as its cheapest type. */
  savings(replacements: readonly Replacement[]): number {
    if (this.now !== undefined) return costBetween(this.cluster, this.now, this.after(replacements) as Spend);
    return this.price - replacements.reduce((sum, r) => sum + expectedPrice(this.cluster, r), 0);
  }

  /** The same if each is launched as its most expensive type. */
  leastSavings(replacements: readonly Replacement[]): number {
    const { types } = this.cluster;
    const launched = replacements.flatMap((r) => {
      const { worst, coveredBy } = types.prices(r.requirements);
      const most = r.types.reduce((a, t) => (worst[t] > worst[a] ? t : a), r.types[0]);
      const isSame = r.types.every((t) => coveredBy?.worst[t] === coveredBy?.worst[most]);
      return types.spend(worst[most], isSame ? coveredBy?.worst[most] : undefined);
    });
    return costBetween(this.cluster, this.now as Spend, withSpend(this.left as Spend, launched));
  }

  /** The spend of the cluster with these; undefined without commitments. */
  after(replacements: readonly Replacement[]): Spend | undefined {
    return (
      this.left &&
      withSpend(
        this.left,
        replacements.flatMap((r) => expectedSpend(this.cluster, r)),
      )
    );
  }

  /** By type: dollars per hour that the cluster costs more with a launch under these requirements, in the worst case. */
  worst(requirements: RequirementsId): Float64Array {
    const { worst, coveredBy } = this.cluster.types.prices(requirements);
    return coveredBy === undefined ? worst : worst.map((price, t) => this.added(price, coveredBy.worst[t]));
  }

  /** Dollars per hour that the cluster costs more with this node besides those that stay. */
  private added(price: number, coveredBy: CoveredBy): number {
    if (price === Infinity || coveredBy.length === 0) return price;
    this.unused ??= new Map();
    const unused = getOrInsert(this.unused, coveredBy, () => unusedFor(this.left as Spend, coveredBy));
    return price - Math.min(unused, price - this.cluster.types.surcharge);
  }
}

/** A commitment may pay for it. */
export function isCovered({ types }: CompiledCluster, r: Replacement): boolean {
  return (types.prices(r.requirements).coveredBy?.cheapest[r.types[0]] ?? []).length > 0;
}

/** A new node as spend, if it is launched as its cheapest type. */
function expectedSpend(cluster: CompiledCluster, r: Replacement): readonly (readonly [CoveredBy, number])[] {
  const { coveredBy } = cluster.types.prices(r.requirements);
  return cluster.types.spend(expectedPrice(cluster, r), coveredBy?.cheapest[r.types[0]]);
}

/** Counts the replacements of these moves as spend, and of no others. */
export function spendWith(simulation: Simulation, launched: readonly Move[], instead: readonly Move[] = []): void {
  const { cluster, spend } = simulation;
  if (spend.now === undefined) return;
  const spendOf = (moves: readonly Move[]) =>
    moves.flatMap(({ replacements }) => replacements.flatMap((r) => expectedSpend(cluster, r)));
  spend.now = withSpend(spend.now, [...spendOf(launched), ...negated(spendOf(instead))]);
}

/** Prices a kept move as if it were not kept. */
export function beforeMove<T>(simulation: Simulation, { candidates, replacements }: Move, ask: () => T): T {
  const { cluster, spend } = simulation;
  const { now } = spend;
  if (now === undefined) return ask();
  const removed = candidates.flatMap((c) => cluster.types.spend(c.price, c.coveredBy));
  const launched = replacements.flatMap((r) => expectedSpend(cluster, r));
  spend.now = withSpend(now, [...removed, ...negated(launched)]);
  const answer = ask();
  spend.now = now;
  return answer;
}

/** The moves, each with its savings after the moves before it: they add up to the savings of the whole cluster. */
export function pricedInOrder({ cluster, spend: { running } }: Simulation, moves: readonly Move[]): readonly Move[] {
  let spend = running;
  if (spend === undefined) return moves;
  return moves.map((move) => {
    const cost = new MoveCost(cluster, spend, move.candidates);
    spend = cost.after(move.replacements);
    return { ...move, savings: cost.savings(move.replacements) };
  });
}

function negated(spend: readonly (readonly [CoveredBy, number])[]): (readonly [CoveredBy, number])[] {
  return spend.map(([coveredBy, dollars]) => [coveredBy, -dollars]);
}
