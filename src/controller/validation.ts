import { poolTotals } from '../engine/disruption/balanced.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { assess } from '../engine/gates/assessment.ts';
import type { Move } from '../engine/moves/move.ts';
import { fitsBudgets } from '../engine/search/approval.ts';
import type { SearchProblem } from '../engine/search/problem.ts';
import { budgetUsesOf, WaveBudgets } from '../engine/search/wave-budgets.ts';
import { candidacyOf } from './candidacy.ts';
import { ClusterAfterCommands } from './cluster-after-commands.ts';
import { type Command, commandKindOf } from './command.ts';
import { type Checked, MoveCheck } from './move-check.ts';
import { executionOf, replacementsOf } from './new-command.ts';
import type { PassContext } from './pass-context.ts';
import { hintedRows } from './placement-hints.ts';

/** Cents per hour by which sums may differ by float noise. */
const NOISE_CENTS = 1e-6;

export interface ValidationRequest {
  readonly due: readonly Command[];
  /** All waiting commands, including these. */
  readonly waiting: readonly Command[];
  /** Commands validated before. */
  readonly underWay: readonly Command[];
}

/**
 * Validates waiting commands in the order of their decisions, each on the cluster that the ones before leave: every
 * gate for nodes and moves, prices, budgets, and a new simulation of exactly these nodes. Returns each as it is to be
 * written: launching with its current replacements, or with the reason for abandoning it.
 */
export function revalidate(question: ValidationRequest, context: PassContext): readonly Command[] {
  const validation = new Validation(question, context);
  return question.due.map((command) => {
    const finding = validation.examine(command);
    return 'reason' in finding ? { ...command, ...finding } : validation.launching(command, finding.move);
  });
}

class Validation {
  private readonly context: PassContext;
  private readonly after: ClusterAfterCommands;
  private readonly problem: SearchProblem;
  private readonly moves: MoveCheck;
  private readonly usesOf: ReturnType<typeof budgetUsesOf>;
  private readonly wave = new WaveBudgets();

  constructor({ due, waiting, underWay }: ValidationRequest, context: PassContext) {
    const { rules } = context;
    this.context = context;
    this.after = new ClusterAfterCommands(context, underWay, waiting);
    const { cluster, simulation, budgets } = this.after;
    const assessed = cluster.rows.map((node, row) => (node.tracked ? assess(cluster, row, rules) : undefined));
    const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
    this.problem = {
      simulation,
      candidates,
      totals: poolTotals(cluster, candidates),
      budgets,
      maxReplacements: Math.max(...due.map((c) => c.replacements.length)),
      mayFollow: false,
      maxWorkloadEvictions: rules.settings.maxWorkloadEvictions,
    };
    this.moves = new MoveCheck(this.problem);
    this.usesOf = budgetUsesOf(this.problem);
  }

  examine(command: Command): Checked {
    const { cluster } = this.problem.simulation;
    const { rules, mayAct } = this.context;
    const candidates: Candidate[] = [];
    for (const node of command.nodes) {
      if (!mayAct(node.nodePool)) return { reason: 'not-ours' };
      const candidacy = candidacyOf(cluster, command, node, rules);
      if ('reason' in candidacy) return candidacy;
      if (this.after.isCountedOn(candidacy.candidate.row)) return { reason: 'pods-arriving' };
      // New nodes may take a buffer's pods too; they exist when this is checked again before a deletion.
      if (command.replacements.length === 0 && this.after.holdsBufferPods(candidacy.candidate.row))
        return { reason: 'capacity-buffer-room' };
      candidates.push(candidacy.candidate);
    }
    if (!fitsBudgets(this.problem, commandKindOf(command), candidates)) return { reason: 'budget' };
    const { depth } = this.problem.simulation;
    const rows = candidates.map((c) => c.row);
    const hints = hintedRows(cluster, rows, command.placements);
    const checked = this.moves.checkAndExplain(candidates, command.replacements.length, hints);
    if ('reason' in checked) return checked;
    const reason = this.objection(command, checked.move);
    if (reason === undefined) return checked;
    this.problem.simulation.undoTo(depth);
    return { reason };
  }

  private objection(command: Command, move: Move): string | undefined {
    const { cluster } = this.problem.simulation;
    if (priceOf(replacementsOf(cluster, move, command.id)) > priceOf(command.replacements) + NOISE_CENTS)
      return 'dearer';
    const uses = this.usesOf(move);
    if (!this.wave.allow(uses)) return 'budget';
    this.wave.use(uses);
    return undefined;
  }

  launching(command: Command, move: Move): Command {
    const { cluster } = this.problem.simulation;
    const { rollouts: _, ...decided } = command;
    return {
      ...decided,
      phase: 'launching',
      phaseMs: cluster.objects.nowMs,
      replacements: replacementsOf(cluster, move, command.id),
      ...executionOf(cluster, move),
    };
  }
}

function priceOf(replacements: Command['replacements']): number {
  return replacements.reduce((sum, r) => sum + r.centsPerHour, 0);
}
