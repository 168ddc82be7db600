import { isSameMachine } from './cluster/state-nodes.ts';
import type { Candidate } from './disruption/candidates.ts';
import type { Consolidation } from './moves/move.ts';
import { areSame } from './scheduling/compile-again.ts';
import type { CompiledCluster } from './scheduling/compiled-cluster.ts';
import type { SearchProblem } from './search/problem.ts';
import type { SearchFindings } from './survey.ts';

interface Alone {
  readonly candidate: Candidate;
  readonly maxReplacements: number;
  readonly result: Consolidation;
}

interface Searched {
  readonly problem: SearchProblem;
  readonly work: number;
  readonly findings: SearchFindings;
}

/**
 * What the last look over a cluster came to. While the same pods run on the same nodes, a node alone comes to the same
 * whichever gates opened or closed meanwhile, and the same candidates come to the same moves. Half of a controller's looks
 * are of that kind: a timer has run out, or a status has changed. For clusters compiled with one CompileMemory.
 */
export class SurveyMemory {
  private cluster: CompiledCluster | undefined;
  private readonly alone = new Map<number, Alone>();
  private searched: Searched | undefined;

  /** Compiled for the look before; nothing is simulated in it any more. */
  get last(): CompiledCluster | undefined {
    return this.cluster;
  }

  /** A look begins. */
  begin(cluster: CompiledCluster): void {
    if (this.cluster === undefined || !isPlacedAlike(this.cluster, cluster)) {
      this.alone.clear();
      this.searched = undefined;
    }
    this.cluster = cluster;
  }

  /** The candidate as it was known before, if it weighs the same. */
  recognized(candidate: Candidate): Candidate {
    const known = this.alone.get(candidate.row)?.candidate;
    return known !== undefined && weighsTheSame(known, candidate) ? known : candidate;
  }

  /** What becomes of the candidate alone; asked for unless it is known. */
  consolidation(candidate: Candidate, maxReplacements: number, ask: () => Consolidation): Consolidation {
    const known = this.alone.get(candidate.row);
    if (known?.candidate === candidate && known.maxReplacements === maxReplacements) return known.result;
    const result = ask();
    this.alone.set(candidate.row, { candidate, maxReplacements, result });
    return result;
  }

  /** What this search came to before; undefined: it has to be made. */
  findings(problem: SearchProblem, work: number): SearchFindings | undefined {
    const { searched } = this;
    if (searched === undefined || searched.work !== work || !asksTheSame(searched.problem, problem)) return undefined;
    return searched.findings;
  }

  learn(problem: SearchProblem, work: number, findings: SearchFindings): void {
    this.searched = { problem, work, findings };
  }
}

/** The same pods, as the same objects, on the same nodes: simulations of the two go the same way, number for number. */
function isPlacedAlike(a: CompiledCluster, b: CompiledCluster): boolean {
  return (
    a.space === b.space &&
    a.settings === b.settings &&
    a.settings.destinationLifetime !== true &&
    a.volumesOfPod.size === 0 &&
    b.volumesOfPod.size === 0 &&
    areSame(a.pods, b.pods) &&
    a.rows.length === b.rows.length &&
    a.rows.every((row, i) => isSameMachine(row, b.rows[i])) &&
    areSame(a.destinations, b.destinations) &&
    areSame(a.shielded, b.shielded) &&
    areSame(a.pending, b.pending) &&
    areSame(a.leaving, b.leaving) &&
    a.movableOfRow.every((pods, row) => areSame(pods, b.movableOfRow[row]))
  );
}

function weighsTheSame(a: Candidate, b: Candidate): boolean {
  return (
    a.name === b.name &&
    a.pool === b.pool &&
    a.policy === b.policy &&
    a.price === b.price &&
    a.evictionCost === b.evictionCost &&
    a.rescheduleCost === b.rescheduleCost &&
    a.disruptionCost === b.disruptionCost &&
    a.autoPercent === undefined &&
    b.autoPercent === undefined &&
    a.methods.emptiness === b.methods.emptiness &&
    a.methods.single === b.methods.single &&
    a.methods.multi === b.methods.multi
  );
}

function asksTheSame(a: SearchProblem, b: SearchProblem): boolean {
  return (
    areSame(a.candidates, b.candidates) &&
    areSame(budgetsOf(a), budgetsOf(b)) &&
    a.maxReplacements === b.maxReplacements &&
    a.mayFollow === b.mayFollow &&
    a.maxWorkloadEvictions === 0 &&
    b.maxWorkloadEvictions === 0 &&
    areSameMaps(a.budgets.Empty, b.budgets.Empty, Object.is) &&
    areSameMaps(a.budgets.Underutilized, b.budgets.Underutilized, Object.is) &&
    areSameMaps(a.totals, b.totals, (x, y) => x.cost === y.cost && x.disruptionCost === y.disruptionCost)
  );
}

/** They decide which moves are made together. */
function budgetsOf({ simulation }: SearchProblem): ArrayLike<unknown> {
  return simulation.cluster.objects.podDisruptionBudgets;
}

function areSameMaps<T>(a: ReadonlyMap<string, T>, b: ReadonlyMap<string, T>, same: (x: T, y: T) => boolean): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !same(value, other)) return false;
  }
  return true;
}
