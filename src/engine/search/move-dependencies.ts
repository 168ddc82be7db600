import type { Move } from '../moves/move.ts';
import { isCovered } from '../moves/move-cost.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { hostsOf } from './following.ts';

/** Not a valid name of a pool. */
const COMMITMENTS = 'commitments of the cluster';

/**
 * Which moves depend on each other: their pods share a topology constraint, or both use a pool's limits or a commitment.
 * All others are interchangeable: nothing is placed on leaving nodes, so free capacity does not depend on the order.
 */
export class MoveDependencies {
  private readonly cluster: CompiledCluster;
  private readonly hasLimits: boolean;
  /** By shared constraint: the moves that affect it, in order. */
  private readonly queues = new Map<string | number, Move[]>();
  private readonly touched = new Map<Move, readonly (string | number)[]>();

  constructor(cluster: CompiledCluster, moves: readonly Move[]) {
    this.cluster = cluster;
    this.hasLimits = cluster.templates.some(({ pool }) => Object.keys(pool.limits).length > 0);
    for (const move of moves) {
      const things = [...this.thingsOf(move)];
      this.touched.set(move, things);
      for (const thing of things) {
        const queue = this.queues.get(thing);
        if (queue === undefined) this.queues.set(thing, [move]);
        else queue.push(move);
      }
    }
  }

  /** Whether all earlier moves that it depends on are done. */
  isFirst(move: Move, done: ReadonlySet<Move>): boolean {
    return (this.touched.get(move) ?? []).every((thing) => this.queues.get(thing)?.find((m) => !done.has(m)) === move);
  }

  /** The moves without these, and without later ones that depend on one that is left out. */
  without(dropped: ReadonlySet<Move>): readonly Move[] {
    const lost = new Set<string | number>();
    const gone = new Set<number>();
    const left: Move[] = [];
    for (const [move, things] of this.touched) {
      const isLost = things.some((thing) => lost.has(thing)) || [...hostsOf(move)].some((row) => gone.has(row));
      if (!isLost && !dropped.has(move)) {
        left.push(move);
        continue;
      }
      for (const thing of things) lost.add(thing);
      for (const { row } of move.candidates) gone.add(row);
    }
    return left;
  }

  private thingsOf({ candidates, replacements, placements }: Move): ReadonlySet<string | number> {
    const { membershipOfPod, shapeOfPod, templates } = this.cluster;
    const things = new Set<string | number>();
    const add = (groups: readonly number[]) => {
      for (const group of groups) things.add(group);
    };
    for (const { pod } of placements) {
      const { running, counted, repelledByHost, repelledByDomain } = membershipOfPod[pod];
      for (const groups of [running, counted, repelledByHost, repelledByDomain]) add(groups);
      const shape = shapeOfPod[pod];
      if (shape === undefined) continue;
      add(shape.repels);
      for (const { byHost, byDomain } of shape.stages) {
        add(byHost);
        add(byDomain);
      }
    }
    if (this.hasLimits) {
      for (const c of candidates) things.add(c.pool.name);
      for (const r of replacements) things.add(templates[r.template].pool.name);
    }
    if (candidates.some((c) => c.coveredBy !== undefined) || replacements.some((r) => isCovered(this.cluster, r)))
      things.add(COMMITMENTS);
    return things;
  }
}
