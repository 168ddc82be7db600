import { launchRequirements, type Requirements } from '../controller/launch.ts';
import { joinNodesAndClaims } from '../engine/cluster/state-nodes.ts';
import { poolTotals } from '../engine/disruption/balanced.ts';
import { remainingBudgets } from '../engine/disruption/budgets.ts';
import { assess, type Candidate, isEmpty, refusalsByMethods } from '../engine/disruption/candidates.ts';
import type { Move } from '../engine/policies/consolidate.ts';
import { finalize, type Replacement } from '../engine/policies/replacement.ts';
import { alone, emptiness, multiNode, singleNode } from '../engine/policies/stock-methods.ts';
import { compile } from '../engine/scheduling/compile.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { STOCK_RULES } from '../engine/settings.ts';
import type { ClusterObserver } from './cluster-observer.ts';
import { ConsolidationScreen, isIdle } from './consolidation-screen.ts';
import type { Ledger } from './ledger.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import { StockCommandQueue } from './stock-command-queue.ts';
import type { World } from './world.ts';

/** karpenter-semantics §0. */
const POLL_MS = 10_000;
const VALIDATION_MS = 15_000;
const MEMO_MS = 5 * 60_000;

/** A decision, kept in names, because numbers of rows do not outlive the cluster they were made for. */
export interface StockDecision {
  readonly method: 'emptiness' | 'multi' | 'single';
  readonly kind: Move['kind'];
  readonly nodes: readonly string[];
  readonly replacements: readonly StockReplacement[];
  /** Existing nodes that are to take pods in. */
  readonly destinations: readonly string[];
  readonly savings: number;
}

interface StockReplacement {
  readonly nodePool: string;
  readonly types: readonly string[];
  readonly requirements: Requirements;
}

interface Pass {
  readonly cluster: CompiledCluster;
  readonly simulation: Simulation;
  readonly candidates: readonly Candidate[];
  readonly budgets: (reason: 'Empty' | 'Underutilized') => Map<string, number>;
}

interface LeftOpen {
  readonly multi: boolean;
  readonly single: boolean;
  /** Nodes that might go by themselves. */
  readonly alone: ReadonlySet<string>;
  /** Budgets left candidates out, so that looking again later makes sense. */
  readonly cut: boolean;
}

const NOTHING_OPEN: LeftOpen = { multi: false, single: false, alone: new Set(), cut: false };
/** More are never tried at once. */
const MAX_NODES = 101;

/** Stock Karpenter's disruption loop (karpenter-semantics §3, §4, §9), on the engine in compatibility. */
export class StockKarpenter {
  private readonly world: World;
  private readonly observer: ClusterObserver;
  private readonly commands: StockCommandQueue;
  /** Upheavals when a pass found nothing to do, and when that was. */
  private memo = { upheavals: -1, atMs: Number.NEGATIVE_INFINITY };

  /** Version of the world when nothing was found, and until when that must hold. */
  private quiet = { version: -1, untilMs: Number.NEGATIVE_INFINITY };
  /** Budgets with a time table, or pods protected for a time: answers change without an event. */
  private readonly watchesClock: boolean;

  constructor(world: World, observer: ClusterObserver, lifecycle: NodeLifecycle, ledger: Ledger) {
    this.watchesClock =
      world.scenario.nodePools.some((p) => p.budgets.some((b) => b.schedule !== undefined)) ||
      world.scenario.apps.some((app) => app.doNotDisrupt !== undefined && app.doNotDisrupt !== 'true');
    this.world = world;
    this.observer = observer;
    this.commands = new StockCommandQueue(world, lifecycle, ledger);
  }

  start(): void {
    this.world.queue.after(POLL_MS, () => this.poll());
  }

  private poll(): void {
    const found = this.decide();
    if (found === undefined) {
      this.world.queue.after(POLL_MS, () => this.poll());
      return;
    }
    // Waiting for the second look holds up the whole loop.
    this.world.queue.after(VALIDATION_MS, () => {
      const valid = this.validate(found);
      if (valid !== undefined) this.commands.start(valid);
      this.world.queue.after(valid === undefined ? POLL_MS : 0, () => this.poll());
    });
  }

  /** As Karpenter would decide; but where nothing has changed since it last found nothing, it is not asked again. */
  private decide(): StockDecision | undefined {
    const { version, nowMs } = this.world;
    if (this.quiet.version === version && nowMs < this.quiet.untilMs) return undefined;
    const found = this.search();
    if (found === undefined) this.quiet = { version, untilMs: this.nextTurnMs() };
    return found;
  }

  /** When a pass could have another outcome although nothing happens: some clock runs out. */
  private nextTurnMs(): number {
    const { nowMs, nodes } = this.world;
    if (this.watchesClock) return nowMs;
    let nextMs = nowMs + MEMO_MS;
    for (const { consolidatableMs, nominatedUntilMs } of nodes.values()) {
      if (consolidatableMs > nowMs) nextMs = Math.min(nextMs, consolidatableMs);
      if (nominatedUntilMs > nowMs) nextMs = Math.min(nextMs, nominatedUntilMs);
    }
    return nextMs;
  }

  private search(): StockDecision | undefined {
    const { upheavals, nowMs } = this.world;
    const remembered = this.memo.upheavals === upheavals && nowMs - this.memo.atMs < MEMO_MS;
    const screen = remembered ? undefined : new ConsolidationScreen(this.world);
    const open = screen === undefined ? NOTHING_OPEN : this.leftOpen(screen);
    if (!open.multi && !open.single && !this.someNodeIsEmpty()) {
      if (screen !== undefined && !open.cut) this.memo = { upheavals, atMs: nowMs };
      return undefined;
    }
    const pass = this.look();
    const empty = emptiness(pass.candidates.filter(isEmpty), pass.budgets('Empty'));
    if (empty !== undefined) return this.decision(pass, empty, 'emptiness');
    const others = pass.candidates.filter((c) => !isEmpty(c));
    const totals = poolTotals(pass.cluster, pass.candidates);
    if (open.multi) {
      const multi = multiNode(pass.simulation, others, pass.budgets('Underutilized'), totals);
      if (multi !== undefined) return this.decision(pass, multi, 'multi');
    }
    if (open.single) {
      const single = singleNode(others, pass.budgets('Underutilized'), (c) => {
        if (!open.alone.has(c.name)) return undefined;
        const verdict = alone(pass.simulation, c, totals);
        return 'move' in verdict ? verdict.move : undefined;
      });
      if (single !== undefined) return this.decision(pass, single, 'single');
    }
    if (screen !== undefined && !open.cut) this.memo = { upheavals, atMs: nowMs };
    return undefined;
  }

  /** What the screen lets through, within budgets. */
  private leftOpen(screen: ConsolidationScreen): LeftOpen {
    const objects = this.observer.asKarpenterSees();
    const budgets = remainingBudgets(objects, joinNodesAndClaims(objects.nodes, objects.nodeClaims), 'Underutilized');
    const { candidates } = screen;
    const alone = new Set(candidates.filter((c) => screen.mayGo([c])).map((c) => c.node.name));
    const within = candidates.filter(({ node }) => {
      const left = budgets.get(node.pool.name) ?? 0;
      budgets.set(node.pool.name, left - 1);
      return left > 0;
    });
    let multi = false;
    for (let n = 2; n <= Math.min(within.length, MAX_NODES) && !multi; n++) multi = screen.mayGo(within.slice(0, n));
    return { multi, single: alone.size > 0, alone, cut: within.length < candidates.length };
  }

  /** Emptiness is looked at in every pass. */
  private someNodeIsEmpty(): boolean {
    for (const node of this.world.nodes.values()) {
      if (!isIdle(node, this.world.nowMs)) continue;
      let movable = false;
      for (const pod of node.pods) movable ||= pod.state.app.kind !== 'DaemonSet';
      if (!movable) return true;
    }
    return false;
  }

  private look(): Pass {
    const objects = this.observer.asKarpenterSees();
    const cluster = compile(objects, STOCK_RULES.settings);
    const candidates: Candidate[] = [];
    for (let row = 0; row < cluster.rows.length; row++) {
      const node = this.world.nodes.get(cluster.rows[row].name);
      if (node === undefined || !isIdle(node, this.world.nowMs)) continue;
      const assessment = assess(cluster, row, STOCK_RULES);
      if (!('candidate' in assessment)) continue;
      if (refusalsByMethods(cluster, assessment.candidate, STOCK_RULES).length === 0)
        candidates.push(assessment.candidate);
    }
    return {
      cluster,
      simulation: new Simulation(cluster),
      candidates,
      budgets: (reason) => remainingBudgets(objects, cluster.rows, reason),
    };
  }

  private decision({ cluster }: Pass, move: Move, method: StockDecision['method']): StockDecision {
    const rows = new Set(move.placements.filter(({ row }) => row >= 0).map(({ row }) => row));
    return {
      method,
      kind: move.kind,
      nodes: move.candidates.map((c) => c.name),
      replacements: move.replacements.map((r) => replacementOf(cluster, r)),
      destinations: [...rows].map((row) => cluster.rows[row].name),
      savings: move.savings,
    };
  }

  /** The second look: what is left of the decision; undefined if nothing. Prices are not looked at again. */
  private validate(decision: StockDecision): StockDecision | undefined {
    const pass = this.look();
    const byName = new Map(pass.candidates.map((c) => [c.name, c]));
    const left = decision.nodes.flatMap((name) => byName.get(name) ?? []);
    if (decision.method === 'emptiness') {
      const again = emptiness(left.filter(isEmpty), pass.budgets('Empty'));
      return again === undefined ? undefined : this.decision(pass, again, 'emptiness');
    }
    if (left.length < decision.nodes.length || isCutByBudget(left, pass.budgets('Underutilized'))) return undefined;
    const { cluster } = pass;
    const holds = pass.simulation.removing(
      left.map((c) => c.row),
      ({ unplaced, claims, onUninitialized }) => {
        const stranded = (pod: number) => cluster.pods[pod].nodeName !== '';
        if (unplaced.some(stranded) || onUninitialized.some(stranded)) return false;
        if (claims.length !== decision.replacements.length) return false;
        return claims.every((claim, i) => {
          const types = new Set(finalize(cluster, claim)?.types.map((t) => cluster.types.list[t].name));
          return decision.replacements[i].types.every((name) => types.has(name));
        });
      },
    );
    return holds ? decision : undefined;
  }
}

/** More candidates of some pool than may go. */
function isCutByBudget(candidates: readonly Candidate[], budgets: Map<string, number>): boolean {
  return candidates.some(({ pool }) => {
    const left = (budgets.get(pool.name) ?? 0) - 1;
    budgets.set(pool.name, left);
    return left < 0;
  });
}

function replacementOf(cluster: CompiledCluster, r: Replacement): StockReplacement {
  const types = r.types.map((t) => cluster.types.list[t].name);
  return { nodePool: cluster.templates[r.template].pool.name, types, requirements: launchRequirements(cluster, r) };
}
