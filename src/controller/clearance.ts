import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { reasonFor } from '../engine/search/approval.ts';
import { candidacyOf } from './candidacy.ts';
import type { Command, CommandNode } from './command.ts';
import { workloadsOn } from './decision.ts';
import { guardedOn } from './guarded-pods.ts';
import { realised } from './realised.ts';
import { Rehearsal } from './rehearsal.ts';
import type { Scene } from './scene.ts';

/** A command whose new nodes are up, and the nodes that are still to be deleted. */
export interface ReadyCommand {
  readonly command: Command;
  readonly nodes: readonly CommandNode[];
}

export type Clearance =
  /** Its nodes may be deleted now. */
  | { readonly kind: 'go'; readonly command: Command }
  /** Not now, but perhaps soon: budgets are used up, or pods on their way count on a node. */
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'refuse'; readonly reason: string };

export interface ClearanceQuestion {
  readonly ready: readonly ReadyCommand[];
  readonly waiting: readonly Command[];
  /** All others that were let through before. */
  readonly underWay: readonly Command[];
}

/**
 * The last look before something is deleted (scenario S27): nodes are tainted, new ones are up. May the nodes still be
 * taken away, and does every pod have a place on nodes that run? In the order of the commands, each on what those before
 * it leave.
 */
export function clear(question: ClearanceQuestion, scene: Scene): readonly Clearance[] {
  const office = new Office(question, scene);
  return question.ready.map((r) => office.examine(r));
}

type Budgets = Record<'Empty' | 'Underutilized', Map<string, number>>;

class Office {
  private readonly scene: Scene;
  private readonly rehearsal: Rehearsal;
  private readonly budgets: Budgets;
  /** Pods that are being evicted or will be, by what guards them. */
  private readonly evicting: Map<PodDisruptionBudgetObject, number>;

  constructor({ ready, waiting, underWay }: ClearanceQuestion, scene: Scene) {
    const { objects } = scene;
    this.scene = scene;
    this.rehearsal = new Rehearsal(scene, underWay, [...ready.map((r) => r.command), ...waiting]);
    const { Empty, Underutilized } = this.rehearsal.budgets;
    this.budgets = { Empty: new Map(Empty), Underutilized: new Map(Underutilized) };
    const deleted = objects.nodeClaims.filter((c) => c.terminating);
    const rows = deleted.flatMap((c) => this.rehearsal.rowOf(c.name) ?? []);
    this.evicting = guardedOn(this.rehearsal.cluster, rows);
  }

  examine({ command, nodes }: ReadyCommand): Clearance {
    const { rules, mayAct } = this.scene;
    const { cluster } = this.rehearsal;
    const candidates: Candidate[] = [];
    for (const node of nodes) {
      if (!mayAct(node.nodePool)) return { kind: 'refuse', reason: 'not-ours' };
      const candidacy = candidacyOf(cluster, command, node, rules);
      if ('candidate' in candidacy) candidates.push(candidacy.candidate);
      else return { kind: candidacy.reason === 'pod-disruption-budget' ? 'hold' : 'refuse', ...candidacy };
    }
    const kind = command.replacements.length === 0 ? 'delete' : 'replace';
    if (!this.fitsBudgets(kind, candidates)) return { kind: 'hold', reason: 'budget' };
    const rows = candidates.map((c) => c.row);
    if (rows.some((row) => this.rehearsal.isCountedOn(row))) return { kind: 'hold', reason: 'pods-arriving' };
    if (rows.some((row) => this.rehearsal.holdsBufferRoom(row)))
      return { kind: 'refuse', reason: 'capacity-buffer-room' };
    const guarded = guardedOn(cluster, rows);
    if (!this.mayEvict(guarded)) return { kind: 'hold', reason: 'pod-disruption-budget' };
    if (!this.place(rows)) return { kind: 'refuse', reason: 'pods-unplaceable' };
    this.take(candidates, guarded);
    return { kind: 'go', command: this.draining(command, candidates, rows) };
  }

  private fitsBudgets(kind: 'delete' | 'replace', candidates: readonly Candidate[]): boolean {
    const wanted = Map.groupBy(candidates, (c) => `${reasonFor(kind, c)} ${c.pool.name}`);
    return [...wanted.values()].every(
      (own) => own.length <= (this.budgets[reasonFor(kind, own[0])].get(own[0].pool.name) ?? 0),
    );
  }

  /** More than a budget leaves may be evicted at the pace that it allows, if nobody else draws on it. */
  private mayEvict(guarded: ReadonlyMap<PodDisruptionBudgetObject, number>): boolean {
    return [...guarded].every(([budget, pods]) => {
      const others = this.evicting.get(budget) ?? 0;
      return others === 0 || others + pods <= budget.disruptionsAllowed;
    });
  }

  /** Every pod on a node that runs, as they come; that stands for the commands after it. */
  private place(rows: readonly number[]): boolean {
    const fits = this.rehearsal.simulation.keeping(
      rows,
      ({ claims, unplaced, onUninitialized }) =>
        claims.length + unplaced.length + onUninitialized.length === 0 ? true : undefined,
      { maxClaims: 0 },
    );
    return fits === true;
  }

  private take(candidates: readonly Candidate[], guarded: ReadonlyMap<PodDisruptionBudgetObject, number>): void {
    for (const [budget, pods] of guarded) this.evicting.set(budget, (this.evicting.get(budget) ?? 0) + pods);
    // A node that goes for one reason counts against the other too.
    for (const { pool } of candidates)
      for (const left of [this.budgets.Empty, this.budgets.Underutilized])
        left.set(pool.name, (left.get(pool.name) ?? 0) - 1);
  }

  private draining(command: Command, candidates: readonly Candidate[], rows: readonly number[]): Command {
    const { cluster } = this.rehearsal;
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
