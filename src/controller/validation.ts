import { poolTotals } from '../engine/disruption/balanced.ts';
import { remainingBudgets } from '../engine/disruption/budgets.ts';
import { assess, type Candidate, refusalsByMethods } from '../engine/disruption/candidates.ts';
import type { Move } from '../engine/policies/consolidate.ts';
import { compile } from '../engine/scheduling/compile.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { reasonFor } from '../engine/search/approval.ts';
import { needsOf, Wave } from '../engine/search/needs.ts';
import type { SearchProblem } from '../engine/search/problem.ts';
import { Trials } from '../engine/search/trials.ts';
import { candidacyOf } from './candidacy.ts';
import type { Command } from './command.ts';
import { figuresOf, replacementsOf, workloadsOn } from './decision.ts';
import { hintedRows } from './placement-hints.ts';
import type { Scene } from './scene.ts';

/** Cents per hour by which sums of prices may differ from noise alone. */
const NOISE_CENTS = 1e-6;

type Finding = { readonly move: Move } | { readonly reason: string };

/**
 * Decides about commands that have waited, in the order in which they were decided, each on what those before it leave:
 * every gate for nodes and moves, prices, budgets, and a new simulation of exactly these nodes. Returns each as it is to
 * be written down: launching, with its replacements as they are wanted now, or with the reason for giving it up. `going`:
 * all commands that wait, these included.
 */
export function revalidate(due: readonly Command[], going: readonly Command[], scene: Scene): readonly Command[] {
  const validation = new Validation(going, scene);
  return due.map((command) => {
    const finding = validation.examine(command);
    return 'reason' in finding ? { ...command, reason: finding.reason } : validation.launching(command, finding.move);
  });
}

/** Nobody's pods go to a node that is about to go itself. */
export function shunNodesOf(commands: readonly Command[], { cluster, existing }: Simulation): void {
  const going = new Set(commands.flatMap((c) => c.nodes.map((n) => n.nodeClaim)));
  cluster.rows.forEach(({ claim }, row) => {
    if (claim !== undefined && going.has(claim.name)) existing.shun(row, true);
  });
}

class Validation {
  private readonly scene: Scene;
  private readonly problem: SearchProblem;
  private readonly trials: Trials;
  private readonly needs: ReturnType<typeof needsOf>;
  private readonly wave = new Wave();

  constructor(going: readonly Command[], scene: Scene) {
    const { objects, rules } = scene;
    const cluster = compile(objects, rules.settings);
    const simulation = new Simulation(cluster);
    const assessed = cluster.rows.map((node, row) => (node.tracked ? assess(cluster, row, rules) : undefined));
    const candidates = assessed.flatMap((a) => (a !== undefined && 'candidate' in a ? [a.candidate] : []));
    this.scene = scene;
    this.problem = {
      simulation,
      candidates,
      totals: poolTotals(cluster, candidates),
      budgets: {
        Empty: remainingBudgets(objects, cluster.rows, 'Empty'),
        Underutilized: remainingBudgets(objects, cluster.rows, 'Underutilized'),
      },
      maxReplacements: rules.settings.maxReplacements,
      maxWorkloadEvictions: rules.settings.maxWorkloadEvictions,
    };
    this.trials = new Trials(this.problem);
    this.needs = needsOf(this.problem);
    shunNodesOf(going, simulation);
    simulation.keepPending();
    simulation.fresh.even = false;
  }

  examine(command: Command): Finding {
    const { cluster } = this.problem.simulation;
    const { rules, mayAct } = this.scene;
    const candidates: Candidate[] = [];
    for (const node of command.nodes) {
      if (!mayAct(node.nodePool)) return { reason: 'not-ours' };
      const candidacy = candidacyOf(cluster, command, node, rules);
      if ('reason' in candidacy) return candidacy;
      const [refusal] = refusalsByMethods(cluster, candidacy.candidate, rules);
      if (refusal !== undefined) return { reason: refusal.code };
      candidates.push(candidacy.candidate);
    }
    if (!this.fitsBudgets(command, candidates)) return { reason: 'budget' };
    const { depth } = this.problem.simulation;
    const move = this.keep(command, candidates);
    if (move === undefined) return { reason: this.whyNot(command, candidates) };
    const reason = this.objection(command, move);
    if (reason === undefined) return { move };
    this.problem.simulation.undoTo(depth);
    return { reason };
  }

  private objection(command: Command, move: Move): string | undefined {
    const { cluster } = this.problem.simulation;
    if (priceOf(replacementsOf(cluster, move, command.id)) > priceOf(command.replacements) + NOISE_CENTS)
      return 'dearer';
    const needs = this.needs(move);
    if (!this.wave.takes(needs)) return 'budget';
    this.wave.take(needs);
    return undefined;
  }

  launching(command: Command, move: Move): Command {
    const { cluster } = this.problem.simulation;
    return {
      ...command,
      phase: 'launching',
      phaseMs: cluster.objects.nowMs,
      replacements: replacementsOf(cluster, move, command.id),
      workloads: workloadsOn(
        cluster,
        move.candidates.map((c) => c.row),
      ),
      predicted: figuresOf(cluster, move),
    };
  }

  /** The move, on what earlier ones leave; it stands for those that come after. */
  private keep(command: Command, candidates: readonly Candidate[]): Move | undefined {
    const { cluster } = this.problem.simulation;
    const rows = candidates.map((c) => c.row);
    const hints = hintedRows(cluster, rows, this.scene.hintsOf(command.id), command);
    const most = command.replacements.length;
    const hinted = hints === undefined ? undefined : this.trials.keep(candidates, most, hints);
    return hinted ?? this.trials.keep(candidates, most);
  }

  private whyNot({ replacements }: Command, candidates: readonly Candidate[]): string {
    const trial = this.trials.attempt(candidates, replacements.length);
    if ('move' in trial) return 'not-approved';
    return typeof trial.refusal === 'string' ? trial.refusal : trial.refusal.code;
  }

  private fitsBudgets({ replacements }: Command, candidates: readonly Candidate[]): boolean {
    const kind = replacements.length === 0 ? 'delete' : 'replace';
    const wanted = Map.groupBy(candidates, (c) => `${reasonFor(kind, c)} ${c.pool.name}`);
    return [...wanted.values()].every((own) => {
      const left = this.problem.budgets[reasonFor(kind, own[0])].get(own[0].pool.name) ?? 0;
      return own.length <= left;
    });
  }
}

function priceOf(replacements: Command['replacements']): number {
  return replacements.reduce((sum, r) => sum + r.centsPerHour, 0);
}
