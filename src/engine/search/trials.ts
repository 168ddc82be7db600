import { type Candidate, isEmpty } from '../disruption/candidates.ts';
import { requiredSavings } from '../disruption/required-savings.ts';
import { type Consolidation, judge, type Move } from '../policies/consolidate.ts';
import type { MoveRefusal } from '../refusal.ts';
import type { Outcome } from '../scheduling/simulation.ts';
import { approved } from './approval.ts';
import type { SearchProblem } from './problem.ts';
import { Vessels } from './vessels.ts';

/** A move, or why it will not do and the nodes whose pods are in the way. */
export type Trial =
  | { readonly move: Move }
  | { readonly refusal: MoveRefusal | 'not-approved'; readonly blockers: ReadonlySet<number> };

/**
 * Cents per hour that a move saves beyond what its nodes' pools require of it: what the search makes as large as it can.
 * Nothing is required of empty nodes.
 */
export function netCents({ savings, candidates }: Move): number {
  return savings * 100 - requiredSavings(candidates.filter((c) => !isEmpty(c))).requiredCents;
}

/**
 * Moves tried on the cluster as it stands, with an account of the work. Work is counted in pods placed, so that a
 * search with a given budget gives the same answer on every machine.
 */
export class Trials {
  readonly problem: SearchProblem;
  /** Pods placed so far, with one for each simulation. */
  work = 0;
  /** Nodes that were part of any trial. */
  readonly examined = new Set<Candidate>();
  readonly vessels: Vessels;

  constructor(problem: SearchProblem) {
    this.problem = problem;
    this.vessels = new Vessels(problem.simulation.cluster);
  }

  /** What would become of these nodes; nothing changes. */
  attempt(candidates: readonly Candidate[], maxReplacements: number): Trial {
    const { simulation } = this.problem;
    return simulation.removing(
      candidates.map((c) => c.row),
      (outcome) => {
        this.account(candidates, outcome);
        const result = this.judge(candidates, outcome, maxReplacements);
        if ('refusal' in result) return { ...result, blockers: this.blockersIn(outcome) };
        const move = approved(this.problem, result.move);
        return move === undefined ? { refusal: 'not-approved', blockers: NOBODY } : { move };
      },
      { maxClaims: maxReplacements },
    );
  }

  /** Makes the move if it is a good one; it stands until the simulation is told to undo it. */
  keep(
    candidates: readonly Candidate[],
    maxReplacements: number,
    hints?: ReadonlyMap<number, number>,
  ): Move | undefined {
    const { simulation } = this.problem;
    return simulation.keeping(
      candidates.map((c) => c.row),
      (outcome) => {
        this.account(candidates, outcome);
        const result = this.judge(candidates, outcome, maxReplacements);
        return 'refusal' in result ? undefined : approved(this.problem, result.move);
      },
      { maxClaims: maxReplacements, hints },
    );
  }

  /** Thresholds are for pods that are disturbed: an empty node goes, whatever it costs. */
  private judge(candidates: readonly Candidate[], outcome: Outcome, maxReplacements: number): Consolidation {
    const { cluster } = this.problem.simulation;
    if (outcome.trace.length === 0 && candidates.every(isEmpty)) {
      const savings = candidates.reduce((sum, c) => sum + c.price, 0);
      return { move: { kind: 'delete', candidates, replacements: [], placements: [], savings } };
    }
    return judge(cluster, candidates, outcome, maxReplacements);
  }

  /** Rows whose pods found no place, or none on the fullest of the new nodes. */
  private blockersIn({ claims, unplaced }: Outcome): ReadonlySet<number> {
    const { rowOfPod } = this.problem.simulation.cluster;
    const rows = new Set(unplaced.map((pod) => rowOfPod[pod]));
    let fullest = claims[0];
    for (const claim of claims) if (claim.pods.length > fullest.pods.length) fullest = claim;
    for (const claim of claims) if (claim !== fullest) for (const pod of claim.pods) rows.add(rowOfPod[pod]);
    return rows;
  }

  private account(candidates: readonly Candidate[], { trace }: Outcome): void {
    this.work += 1 + trace.length;
    for (const c of candidates) this.examined.add(c);
  }
}

const NOBODY: ReadonlySet<number> = new Set();
