import { poolTotals } from '../disruption/balanced.ts';
import { consolidationBudgets } from '../disruption/budgets.ts';
import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { PoolReserve } from '../gates/pool-reserve.ts';
import { clusterAfter } from '../moves/cluster-after.ts';
import type { Move } from '../moves/move.ts';
import { compile } from '../scheduling/compile.ts';
import { CompileCache } from '../scheduling/compile-cache.ts';
import type { CompileSettings } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import type { SearchProblem } from '../search/problem.ts';
import type { TimedMove } from '../search/waves.ts';
import type { Rules } from '../settings.ts';

/** Moves of a plan, and the cluster that they are made on: the one that the stages before leave. */
export interface Stage {
  readonly problem: SearchProblem;
  /** Waves are counted over all stages. */
  readonly moves: readonly TimedMove[];
}

/** The name that a plan has for a node that one of its moves launches; no node has a space in its name. */
export function launchedName(replacement: number, move: number): string {
  return `new-${replacement} of move ${move}`;
}

/** Computes the cluster that stages leave, and the problem to solve on it. */
export class NextStage {
  private readonly rules: Rules;
  private readonly settings: CompileSettings;
  private readonly cache = new CompileCache();

  constructor(rules: Rules, settings: CompileSettings = rules.settings) {
    this.rules = rules;
    this.settings = settings;
  }

  /**
   * The problem after these stages: candidates are today's that are left, and nodes that the stages launch.
   */
  after(stages: readonly Stage[]): SearchProblem {
    const { rules } = this;
    const last = stages[stages.length - 1];
    const { simulation, candidates, maxReplacements, mayFollow, maxWorkloadEvictions } = last.problem;
    const before = stages.slice(0, -1).reduce((sum, { moves }) => sum + moves.length, 0);
    const known = new Map(candidates.map((c) => [c.name, c]));
    const pools = new Set(candidates.map((c) => c.pool.name));
    const launched = new Set<string>();
    const objects = clusterAfter(
      simulation.cluster,
      last.moves.map(({ move }) => move),
      (move, replacement) => {
        const name = launchedName(replacement, before + move);
        launched.add(name);
        return name;
      },
    );
    const cluster = compile(objects, this.settings, this.cache);
    const assessed = cluster.rows.flatMap(({ tracked }, row) => (tracked ? [assess(cluster, row, rules)] : []));
    const all = assessed.flatMap((a) => ('candidate' in a ? [a.candidate] : []));
    return {
      simulation: new Simulation(cluster, { gate: PoolReserve.of(cluster, rules) }),
      candidates: all.filter(
        (c) =>
          (launched.has(c.name) ? pools.has(c.pool.name) : isStillCandidate(c, known.get(c.name))) &&
          refusalsByMethods(cluster, c, rules).length === 0,
      ),
      totals: poolTotals(cluster, all),
      budgets: consolidationBudgets(objects, cluster.rows),
      maxReplacements,
      mayFollow,
      maxWorkloadEvictions,
    };
  }
}

/** An empty node that pods were put on stays: budgets for empty nodes would mean nothing otherwise. */
function isStillCandidate(now: Candidate, before: Candidate | undefined): boolean {
  return before !== undefined && (isEmpty(now) || !isEmpty(before));
}

/** Pods that the moves evict. */
export function evictionsOf(stages: readonly Stage[]): number {
  return stages.reduce(
    (sum, { problem: { simulation }, moves }) =>
      sum + moves.reduce((own, { move }) => own + podsOf(simulation, move), 0),
    0,
  );
}

function podsOf({ cluster }: Simulation, { candidates }: Move): number {
  return candidates.reduce((sum, { row }) => sum + cluster.movableOfRow[row].length, 0);
}
