import { disapproving, type PoolTotals, poolTotals } from '../disruption/balanced.ts';
import { type DisruptionReason, remainingBudgets } from '../disruption/budgets.ts';
import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { assess, refusalsByMethods } from '../gates/assessment.ts';
import { PoolReserve } from '../gates/pool-reserve.ts';
import { scoreRefusal } from '../moves/alone.ts';
import { consolidate, deletion } from '../moves/consolidate.ts';
import { withoutKeptTypes } from '../moves/kept-types.ts';
import type { Consolidation } from '../moves/move.ts';
import type { MoveRefusal } from '../refusal.ts';
import { compile } from '../scheduling/compile.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { Simulation } from '../scheduling/simulation.ts';
import type { Situation } from './situation.ts';

/** keepsOne: any replacement costs at least as much as one of the nodes, which could be kept instead. */
export type GroupVerdict = Consolidation | { readonly keepsOne: true };

/** Evaluates sets of nodes of one cluster, each independently. */
export class GroupTrials {
  readonly cluster: CompiledCluster;
  /** Nodes that passed every gate for nodes. */
  readonly candidates: readonly Candidate[];
  private readonly simulation: Simulation;
  private readonly totals: ReadonlyMap<string, PoolTotals>;
  private readonly maxReplacements: number;

  constructor({ objects, rules }: Situation, maxReplacements: number) {
    this.cluster = compile(objects, rules.settings);
    this.simulation = new Simulation(this.cluster, { gate: PoolReserve.of(this.cluster, rules) });
    this.maxReplacements = maxReplacements;
    const assessed = this.cluster.rows.flatMap((node, row) => {
      const assessment = node.tracked ? assess(this.cluster, row, rules) : undefined;
      return assessment !== undefined && 'candidate' in assessment ? [assessment.candidate] : [];
    });
    this.totals = poolTotals(this.cluster, assessed);
    this.candidates = assessed.filter((c) => refusalsByMethods(this.cluster, c, rules).length === 0);
  }

  judge(candidates: readonly Candidate[]): GroupVerdict {
    const empty = candidates.every(isEmpty);
    const full = this.overBudget(candidates, empty ? 'Empty' : 'Underutilized');
    if (empty) return full === undefined ? deletion(this.simulation, candidates) : { refusal: full };
    const { simulation, maxReplacements } = this;
    const verdict = consolidate(simulation, candidates, { maxReplacements, thorough: true });
    if ('refusal' in verdict) return verdict;
    const move = candidates.length > 1 ? withoutKeptTypes(simulation, verdict.move) : verdict.move;
    if (move === undefined) return { keepsOne: true };
    if (full !== undefined) return { refusal: full };
    const against = disapproving(candidates, move.savings, this.totals);
    return against === undefined ? { move } : { refusal: scoreRefusal(against.nodePool, against) };
  }

  /** Set if a pool's budget allows fewer nodes at once. */
  private overBudget(candidates: readonly Candidate[], reason: DisruptionReason): MoveRefusal | undefined {
    const left = remainingBudgets(this.cluster.objects, this.cluster.rows, reason);
    for (const { pool } of candidates) {
      const after = (left.get(pool.name) ?? 0) - 1;
      if (after < 0) return { code: 'budget', nodePool: pool.name, reason };
      left.set(pool.name, after);
    }
    return undefined;
  }
}
