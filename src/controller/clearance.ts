import type { PodDisruptionBudgetObject } from '../engine/cluster/objects.ts';
import { remainingBudgets } from '../engine/disruption/budgets.ts';
import type { Candidate } from '../engine/disruption/candidates.ts';
import { compile } from '../engine/scheduling/compile.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { reasonFor } from '../engine/search/approval.ts';
import { candidacyOf } from './candidacy.ts';
import type { Command, CommandNode } from './command.ts';
import { workloadsOn } from './decision.ts';
import { guardedOn } from './guarded-pods.ts';
import { hintedRows } from './placement-hints.ts';
import { realised } from './realised.ts';
import type { Scene } from './scene.ts';
import { shunNodesOf } from './validation.ts';

/** A command whose new nodes are up, and the nodes that are still to be deleted. */
export interface ReadyCommand {
  readonly command: Command;
  readonly nodes: readonly CommandNode[];
}

export type Clearance =
  /** Its nodes may be deleted now. */
  | { readonly kind: 'go'; readonly command: Command }
  /** Not now: somebody else's turn at a budget. */
  | { readonly kind: 'hold'; readonly reason: string }
  | { readonly kind: 'refuse'; readonly reason: string };

/**
 * The last look before something is deleted (scenario S27): nodes are tainted, new ones are up. May the nodes still be
 * taken away, and does every pod have a place on nodes that run? In the order of the commands, each on what those before
 * it leave. `objects` has the nodes of all other commands that are under way as leaving; `deleting` are the NodeClaims
 * that really are.
 */
export function clear(
  ready: readonly ReadyCommand[],
  waiting: readonly Command[],
  scene: Scene,
  deleting: ReadonlySet<string>,
): readonly Clearance[] {
  const office = new Office([...ready.map((r) => r.command), ...waiting], scene, deleting);
  return ready.map((r) => office.examine(r));
}

type Budgets = Record<'Empty' | 'Underutilized', Map<string, number>>;

class Office {
  private readonly scene: Scene;
  private readonly cluster: CompiledCluster;
  private readonly simulation: Simulation;
  private readonly budgets: Budgets;
  /** Pods that are being evicted or will be, by what guards them. */
  private readonly evicting: Map<PodDisruptionBudgetObject, number>;

  constructor(going: readonly Command[], scene: Scene, deleting: ReadonlySet<string>) {
    const { objects, rules } = scene;
    this.scene = scene;
    this.cluster = compile(objects, rules.settings);
    this.simulation = new Simulation(this.cluster);
    const left = (reason: 'Empty' | 'Underutilized') => remainingBudgets(objects, this.cluster.rows, reason);
    this.budgets = { Empty: left('Empty'), Underutilized: left('Underutilized') };
    const leaving = this.cluster.rows.flatMap(({ claim }, row) =>
      claim !== undefined && deleting.has(claim.name) ? [row] : [],
    );
    this.evicting = guardedOn(this.cluster, leaving);
    shunNodesOf(going, this.simulation);
    this.simulation.keepPending();
  }

  examine({ command, nodes }: ReadyCommand): Clearance {
    const { rules, mayAct } = this.scene;
    const candidates: Candidate[] = [];
    for (const node of nodes) {
      if (!mayAct(node.nodePool)) return { kind: 'refuse', reason: 'not-ours' };
      const candidacy = candidacyOf(this.cluster, command, node, rules);
      if ('candidate' in candidacy) candidates.push(candidacy.candidate);
      else return { kind: candidacy.reason === 'pod-disruption-budget' ? 'hold' : 'refuse', ...candidacy };
    }
    const kind = command.replacements.length === 0 ? 'delete' : 'replace';
    if (!this.fitsBudgets(kind, candidates)) return { kind: 'hold', reason: 'budget' };
    const rows = candidates.map((c) => c.row);
    const guarded = guardedOn(this.cluster, rows);
    if (!this.mayEvict(guarded)) return { kind: 'hold', reason: 'pod-disruption-budget' };
    if (!this.place(command, rows)) return { kind: 'refuse', reason: 'pods-unplaceable' };
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

  /** Every pod on a node that runs; that stands for the commands after it. */
  private place(command: Command, rows: readonly number[]): boolean {
    const hints = hintedRows(this.cluster, rows, this.scene.hintsOf(command.id), command);
    const fits = (withHints: typeof hints) =>
      this.simulation.keeping(
        rows,
        ({ claims, unplaced, onUninitialized }) =>
          claims.length + unplaced.length + onUninitialized.length === 0 ? true : undefined,
        { maxClaims: 0, ...(withHints === undefined ? {} : { hints: withHints }) },
      ) === true;
    return (hints !== undefined && fits(hints)) || fits(undefined);
  }

  private take(candidates: readonly Candidate[], guarded: ReadonlyMap<PodDisruptionBudgetObject, number>): void {
    for (const [budget, pods] of guarded) this.evicting.set(budget, (this.evicting.get(budget) ?? 0) + pods);
    // A node that goes for one reason counts against the other too.
    for (const { pool } of candidates)
      for (const left of [this.budgets.Empty, this.budgets.Underutilized])
        left.set(pool.name, (left.get(pool.name) ?? 0) - 1);
  }

  private draining(command: Command, candidates: readonly Candidate[], rows: readonly number[]): Command {
    const { nowMs } = this.cluster.objects;
    return {
      ...command,
      phase: 'draining',
      phaseMs: nowMs,
      drainingMs: nowMs,
      workloads: workloadsOn(this.cluster, rows),
      realised: realised(this.cluster, command, candidates),
    };
  }
}
