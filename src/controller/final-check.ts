import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { isEnough } from '../engine/gates/savings-threshold.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { fitsBudgets } from '../engine/search/approval.ts';
import { fitInAnyOrder } from './any-order.ts';
import { candidacyOf } from './candidacy.ts';
import { ClusterAfterCommands } from './cluster-after-commands.ts';
import { type Command, type CommandNode, commandKindOf, type Figures, isMovingPods } from './command.ts';
import { podsToMove, workloadsOn } from './new-command.ts';
import type { PassContext } from './pass-context.ts';
import { hintedRows } from './placement-hints.ts';
import { realised } from './realised.ts';
import { Rolling, rolloutsFor } from './rolling.ts';

/** A command whose new nodes are initialized, and the nodes still to delete, perhaps after their pods have been rolled. */
export interface ReadyCommand {
  readonly command: Command;
  readonly nodes: readonly CommandNode[];
}

export type FinalVerdict =
  /**
   * Its pods may be rolled, or these nodes deleted; the command as it is then. Its other nodes follow when the pods of
   * these run.
   */
  | { readonly kind: 'go'; readonly command: Command; readonly nodes: readonly CommandNode[] }
  /** Not now, but perhaps soon: budgets are exhausted, or pods of other commands need a node. */
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'refuse'; readonly reason: string };

export interface FinalCheckInput {
  readonly ready: readonly ReadyCommand[];
  readonly waiting: readonly Command[];
  /** All other validated commands. */
  readonly underWay: readonly Command[];
}

/**
 * The final check before a deletion (scenario S27), and before pods are rolled, which need a place as well: nodes are
 * tainted, new ones are initialized. Checks that the nodes may still be removed and that every pod fits on running
 * nodes. Each command is examined on the cluster that the ones before leave: first those that drain, then the newest. An
 * older command that was held would otherwise take the new node of a newer one, which could then not continue.
 *
 * If commands with new nodes do not pass, the others must pass without these nodes, too: those of an abandoned command
 * are deleted.
 */
export function finalCheck(question: FinalCheckInput, context: PassContext): readonly FinalVerdict[] {
  const { ready } = question;
  const verdicts: FinalVerdict[] = [];
  let order = [...ready.keys()].sort((a, b) => rank(ready[a]) - rank(ready[b]) || a - b);
  const stopped: Command[] = [];
  for (;;) {
    const check = new FinalCheck(question, stopped, context);
    for (const i of order) verdicts[i] = check.examine(ready[i]);
    const failed = order.filter((i) => verdicts[i].kind !== 'go').map((i) => ready[i].command);
    order = order.filter((i) => verdicts[i].kind === 'go');
    if (order.length === 0 || !failed.some((c) => c.replacements.length > 0)) return verdicts;
    stopped.push(...failed);
  }
}

function rank({ command: { phase, phaseMs } }: ReadyCommand): number {
  return phase === 'draining' ? Number.MIN_SAFE_INTEGER : -phaseMs;
}

type Budgets = Record<'Empty' | 'Underutilized', Map<string, number>>;

class FinalCheck {
  private readonly context: PassContext;
  private readonly after: ClusterAfterCommands;
  /** The same if kube-scheduler places pods where they fit first; undefined if a single command is all there is. */
  private readonly unplanned: ClusterAfterCommands | undefined;
  readonly budgets: Budgets;
  /** Pods being evicted or to be evicted, by their budgets. */
  private readonly evicting: Map<PodDisruptionBudgetObject, number>;
  /** Rows that drain now or whose pods are being rolled, or will after a check of this pass. */
  private readonly drainingRows: number[];

  /** Without the new nodes of the stopped commands. */
  constructor({ ready, waiting, underWay }: FinalCheckInput, stopped: readonly Command[], context: PassContext) {
    const { objects } = context;
    this.context = context;
    const asked = [...ready.map((r) => r.command), ...waiting];
    this.after = new ClusterAfterCommands(context, underWay, asked, { stopped });
    const isAlone = ready.length === 1 && !underWay.some(isMovingPods);
    this.unplanned = isAlone
      ? undefined
      : new ClusterAfterCommands(context, underWay, asked, { draining: 'first-fit', stopped });
    const { Empty, Underutilized } = this.after.budgets;
    this.budgets = { Empty: new Map(Empty), Underutilized: new Map(Underutilized) };
    const deleted = objects.nodeClaims.filter((c) => c.terminating).map((c) => c.name);
    const intended = underWay.filter((c) => c.phase === 'draining').flatMap((c) => c.nodes.map((n) => n.nodeClaim));
    const rows = [...new Set([...deleted, ...intended])].flatMap((name) => this.after.rowOf(name) ?? []);
    this.evicting = guardedOn(this.after.cluster, rows);
    const rolling = underWay.filter((c) => c.phase !== 'draining' && isMovingPods(c)).flatMap((c) => c.nodes);
    this.drainingRows = [...rows, ...rolling.flatMap((n) => this.after.rowOf(n.nodeClaim) ?? [])];
  }

  examine({ command, nodes }: ReadyCommand): FinalVerdict {
    const { rules, mayAct } = this.context;
    const { cluster } = this.after;
    const candidates: Candidate[] = [];
    for (const node of nodes) {
      if (!mayAct(node.nodePool)) return { kind: 'refuse', reason: 'not-ours' };
      const candidacy = candidacyOf(cluster, command, node, rules);
      if ('candidate' in candidacy) candidates.push(candidacy.candidate);
      else return { kind: candidacy.reason === 'pod-disruption-budget' ? 'hold' : 'refuse', ...candidacy };
    }
    const rolling = new Rolling(command, cluster.objects);
    const rollsFirst = command.phase === 'launching' && command.rollingMs === undefined && !rolling.isOver;
    // All rollouts of the command are over: this one came since, and the drain would evict it.
    if (!rollsFirst && rolloutsFor(cluster, candidates).length > 0) return { kind: 'refuse', reason: 'rollout-needed' };
    if (!fitsBudgets(this, commandKindOf(command), candidates)) return { kind: 'hold', reason: 'budget' };
    const rows = candidates.map((c) => c.row);
    const areNeeded = (after: ClusterAfterCommands | undefined) => rows.some((row) => after?.isCountedOn(row));
    if (areNeeded(this.after) || areNeeded(this.unplanned)) return { kind: 'hold', reason: 'pods-arriving' };
    if (rows.some((row) => this.after.holdsBufferPods(row))) return { kind: 'refuse', reason: 'capacity-buffer-room' };
    const guarded = guardedOn(cluster, rows);
    if (!this.mayEvict(guarded)) return { kind: 'hold', reason: 'pod-disruption-budget' };
    // The replacements are running: peaks since then do not count, and capacity that is short now may be free soon.
    const isLaunched = command.replacements.length > 0;
    const { depth } = this.after.simulation;
    const obstacle = this.place(command, rows, false);
    if (obstacle !== undefined && !(isLaunched && this.place(command, rows, true) === undefined))
      return { kind: isLaunched ? 'hold' : 'refuse', reason: obstacle };
    const draining = this.drainingRows.filter((row) => !rows.includes(row));
    if (!this.fitInAnyOrder(rows, draining) || !this.fitsUnplanned(command, rows)) {
      this.after.simulation.undoTo(depth);
      return { kind: 'hold', reason: 'pods-arriving' };
    }
    if (hasLanded(cluster, nodes, rows) && !isWorthIt(realised(cluster, command, candidates)))
      return { kind: 'refuse', reason: 'savings-below-threshold' };
    this.take(candidates, guarded);
    this.drainingRows.push(...rows);
    if (rollsFirst) return { kind: 'go', command: rolling.begun(), nodes };
    const first = this.drainTogether(rows);
    return {
      kind: 'go',
      command: this.draining(command, candidates, rows),
      nodes: nodes.filter((_, i) => first.has(rows[i])),
    };
  }

  /** More than a budget allows may be evicted at its pace, if nothing else uses it. */
  private mayEvict(guarded: ReadonlyMap<PodDisruptionBudgetObject, number>): boolean {
    return [...guarded].every(([budget, pods]) => {
      const others = this.evicting.get(budget) ?? 0;
      return others === 0 || others + pods <= budget.disruptionsAllowed;
    });
  }

  /**
   * Why a pod does not fit on running nodes, or too little would be left; undefined if nothing blocks. As in
   * `MoveCheck`: at the planned destinations, and where pods fit first, with the replacements last, as a pass places
   * them. The result stays for the commands after it.
   */
  private place(
    { placements, replacements }: Command,
    rows: readonly number[],
    areLeaving: boolean,
  ): string | undefined {
    const { simulation, cluster } = this.after;
    const own = replacements.map((r) => this.after.rowOf(r.nodeClaim));
    const hints = hintedRows(cluster, rows, placements, (number) => own[number - 1]);
    const { depth } = simulation;
    const obstacle = this.keepPlaced(rows, this.firstFit(rows, own, areLeaving), areLeaving);
    if (obstacle !== undefined || hints === undefined) return obstacle;
    simulation.undoTo(depth);
    return this.keepPlaced(rows, hints, areLeaving);
  }

  /**
   * Whether all pods fit too if those of other commands take the first place they find. Otherwise this command waits
   * until they run. The result stays for the commands after it.
   */
  private fitsUnplanned({ replacements }: Command, rows: readonly number[]): boolean {
    const { unplanned } = this;
    if (unplanned === undefined) return true;
    const own = replacements.map((r) => unplanned.rowOf(r.nodeClaim));
    const hints = this.firstFit(rows, own, true, unplanned);
    return this.keepPlaced(rows, hints, true, unplanned) === undefined;
  }

  /** Of these rows, the first one, and others whose drains may overlap. */
  private drainTogether(rows: readonly number[]): ReadonlySet<number> {
    const together: number[] = [];
    for (const row of rows) if (this.fitInAnyOrder([row], together)) together.push(row);
    return new Set(together);
  }

  /** Drains overlap only if nothing depends on whose pods kube-scheduler places first. */
  private fitInAnyOrder(rows: readonly number[], others: readonly number[]): boolean {
    const { movableOfRow } = this.after.cluster;
    const podsOn = (some: readonly number[]) => some.flatMap((row) => movableOfRow[row]);
    return fitInAnyOrder(this.after.simulation, podsOn(rows), podsOn(others));
  }

  /** Where pods go if they fit on a node other than the replacements. */
  private firstFit(
    rows: readonly number[],
    replacements: readonly (number | undefined)[],
    areLeaving: boolean,
    { simulation }: ClusterAfterCommands = this.after,
  ): ReadonlyMap<number, number> {
    const own = replacements.filter((row) => row !== undefined);
    if (own.length === 0) return new Map();
    for (const row of own) simulation.existing.exclude(row, true);
    const placed = simulation.removing(
      rows,
      ({ placements }) => placements.map(({ pod, row }) => [pod, row] as const),
      { maxClaims: Infinity, areLeaving },
    );
    for (const row of own) simulation.existing.exclude(row, false);
    return new Map(placed);
  }

  private keepPlaced(
    rows: readonly number[],
    hints: ReadonlyMap<number, number>,
    areLeaving: boolean,
    { simulation }: ClusterAfterCommands = this.after,
  ): string | undefined {
    let obstacle: string | undefined = 'pods-unplaceable';
    simulation.keeping(
      rows,
      (outcome) => {
        const { claims, unplaced, onUninitialized } = outcome;
        if (claims.length + unplaced.length + onUninitialized.length > 0) return undefined;
        obstacle = simulation.gate?.refusal(simulation, outcome)?.code;
        return obstacle === undefined ? true : undefined;
      },
      { maxClaims: 0, hints, areLeaving },
    );
    return obstacle;
  }

  private take(candidates: readonly Candidate[], guarded: ReadonlyMap<PodDisruptionBudgetObject, number>): void {
    for (const [budget, pods] of guarded) this.evicting.set(budget, (this.evicting.get(budget) ?? 0) + pods);
    // A node that goes for one reason counts against the other too.
    for (const { pool } of candidates)
      for (const left of [this.budgets.Empty, this.budgets.Underutilized])
        left.set(pool.name, (left.get(pool.name) ?? 0) - 1);
  }

  private draining(command: Command, candidates: readonly Candidate[], rows: readonly number[]): Command {
    const { cluster } = this.after;
    const { nowMs } = cluster.objects;
    return {
      ...command,
      phase: 'draining',
      phaseMs: nowMs,
      drainingMs: nowMs,
      workloads: workloadsOn(cluster, rows),
      realised: realised(cluster, command, candidates),
    };
  }
}

/** Pods that the move was not evaluated with were scheduled since validation. */
function hasLanded(cluster: CompiledCluster, nodes: readonly CommandNode[], rows: readonly number[]): boolean {
  return nodes.some(({ pods }, i) => podsToMove(cluster, rows[i]) > pods);
}

function isWorthIt({ savingsCentsPerHour, requiredCentsPerHour }: Figures): boolean {
  return isEnough(savingsCentsPerHour, requiredCentsPerHour);
}

/** Pods on these rows whose eviction uses a PodDisruptionBudget, by budget; DaemonSets' pods are evicted too. */
function guardedOn(
  { podsOfRow, pods, facts, budgets }: CompiledCluster,
  rows: readonly number[],
): Map<PodDisruptionBudgetObject, number> {
  const out = new Map<PodDisruptionBudgetObject, number>();
  for (const row of rows) {
    for (const pod of podsOfRow[row]) {
      for (const budget of budgets.guarding(pods[pod], facts[pod])) {
        if (budget.evictsUnhealthy && pods[pod].ready === 'False') continue;
        out.set(budget, (out.get(budget) ?? 0) + 1);
      }
    }
  }
  return out;
}
