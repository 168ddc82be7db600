import { poolTotals } from '../engine/disruption/balanced.ts';
import { assess, type Candidate, isEmpty, refusalsByMethods } from '../engine/disruption/candidates.ts';
import { finalize } from '../engine/policies/replacement.ts';
import { alone, emptiness, multiNode } from '../engine/policies/stock-methods.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { STOCK_RULES } from '../engine/settings.ts';
import { isIdle } from './consolidate-after.ts';
import type { KarpenterView } from './karpenter-view.ts';
import type { KubeScheduler } from './kube-scheduler.ts';
import type { Ledger } from './ledger.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import { PodSizes } from './pod-sizes.ts';
import { QueuedPods } from './queued-pods.ts';
import type { ScreenedPods } from './removal-rehearsal.ts';
import type { SimNode } from './sim-node.ts';
import { StockCommandQueue } from './stock-command-queue.ts';
import { decisionOf, type StockDecision } from './stock-decision.ts';
import {
  emptyNodes,
  type LeftOpen,
  leftOpen,
  nothingOpen,
  remainingBudgets,
  simulationsUntil,
  take,
} from './stock-shortlist.ts';
import type { World } from './world.ts';

/** karpenter-semantics §0. */
const POLL_MS = 10_000;
const VALIDATION_MS = 15_000;
const MEMO_MS = 5 * 60_000;

/**
 * What Karpenter's own code takes to simulate the removal of a node, for each node of the cluster: 1,000 nodes took it
 * 120 s where all pods are alike and 258 s where they are not (docs/performance.md). While it does, it does nothing else.
 */
const SIMULATION_MS_PER_NODE = 0.15;

/** So many nodes are looked at at once, then four times as many, and so on: what a look costs is mostly the same. */
const FIRST_PART = 8;
const GROWTH = 4;

interface Pass {
  readonly cluster: CompiledCluster;
  readonly simulation: Simulation;
  readonly candidates: readonly Candidate[];
}

/** Upheavals when a method found nothing to do, and when that was. */
interface Memo {
  readonly upheavals: number;
  readonly atMs: number;
}

const NEVER: Memo = { upheavals: -1, atMs: Number.NEGATIVE_INFINITY };

/** Stock Karpenter's disruption loop (karpenter-semantics §3, §4, §9), on the engine in compatibility. */
export class StockKarpenter {
  private readonly world: World;
  private readonly view: KarpenterView;
  private readonly commands: StockCommandQueue;
  private readonly pods: ScreenedPods;
  /** Simulations that Karpenter would run in this pass. */
  private simulations = 0;
  private multiMemo = NEVER;
  private singleMemo = NEVER;
  /** Version of the world when nothing was found, and until when that must hold. */
  private quiet = { version: -1, untilMs: Number.NEGATIVE_INFINITY };
  /** Budgets with a time table, or pods protected for a time: answers change without an event. */
  private readonly watchesClock: boolean;

  constructor(world: World, scheduler: KubeScheduler, view: KarpenterView, lifecycle: NodeLifecycle, ledger: Ledger) {
    this.watchesClock =
      world.scenario.nodePools.some((p) => p.budgets.some((b) => b.schedule !== undefined)) ||
      world.scenario.apps.some((app) => app.doNotDisrupt !== undefined && app.doNotDisrupt !== 'true');
    this.world = world;
    this.view = view;
    this.pods = { sizes: new PodSizes(world), queued: new QueuedPods(world), pending: scheduler.pending };
    this.commands = new StockCommandQueue(world, lifecycle, ledger);
  }

  start(): void {
    this.world.queue.after(POLL_MS, () => this.poll());
  }

  private poll(): void {
    this.simulations = 0;
    const found = this.decide();
    const passMs = Math.round(this.simulations * this.world.nodes.size * SIMULATION_MS_PER_NODE);
    if (found === undefined) {
      this.world.queue.after(passMs + POLL_MS, () => this.poll());
      return;
    }
    // Waiting for the second look holds up the whole loop.
    this.world.queue.after(passMs + VALIDATION_MS, () => {
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
    const fresh = { multi: !this.isRemembered(this.multiMemo), single: !this.isRemembered(this.singleMemo) };
    const open = fresh.multi || fresh.single ? leftOpen(this.world, this.pods, fresh) : nothingOpen();
    const found = this.firstMove(emptyNodes(this.world), open);
    this.simulations = simulationsUntil(found, open);
    return found ?? this.remember(fresh, open);
  }

  /**
   * What the first of the methods has to offer that has something to offer. Single nodes are looked at in parts, because
   * what there is to find is mostly found among the first.
   */
  private firstMove(empty: readonly SimNode[], { multi, single }: LeftOpen): StockDecision | undefined {
    let part = take(single, FIRST_PART);
    const first = new Set([...empty, ...multi, ...part]);
    if (first.size === 0) return undefined;
    let pass = this.look(first);
    let found = this.amongEmpty(pass) ?? this.amongSeveral(pass, multi) ?? this.amongSingle(pass, part);
    for (let size = GROWTH * FIRST_PART; found === undefined; size *= GROWTH) {
      part = take(single, size);
      if (part.length === 0) break;
      pass = this.look(new Set(part));
      found = this.amongSingle(pass, part);
    }
    return found;
  }

  private amongEmpty({ cluster, candidates }: Pass): StockDecision | undefined {
    const move = emptiness(candidates.filter(isEmpty), remainingBudgets(this.world, 'Empty'));
    return move === undefined ? undefined : decisionOf(cluster, move, 'emptiness');
  }

  private amongSeveral(pass: Pass, nodes: ReadonlySet<SimNode>): StockDecision | undefined {
    if (nodes.size === 0) return undefined;
    const { cluster, simulation } = pass;
    const candidates = pass.candidates.filter((c) => !isEmpty(c) && nodes.has(this.nodeOf(c)));
    const move = multiNode(
      simulation,
      candidates,
      remainingBudgets(this.world, 'Underutilized'),
      poolTotals(cluster, pass.candidates),
    );
    return move === undefined ? undefined : decisionOf(cluster, move, 'multi');
  }

  /** In this order. */
  private amongSingle(pass: Pass, nodes: readonly SimNode[]): StockDecision | undefined {
    const { cluster, simulation } = pass;
    const byNode = new Map(pass.candidates.map((c) => [this.nodeOf(c), c]));
    const totals = poolTotals(cluster, pass.candidates);
    for (const node of nodes) {
      const candidate = byNode.get(node);
      if (candidate === undefined || isEmpty(candidate)) continue;
      const verdict = alone(simulation, candidate, totals);
      if ('move' in verdict) return decisionOf(cluster, verdict.move, 'single');
    }
    return undefined;
  }

  private nodeOf({ name }: Candidate): SimNode {
    return this.world.nodes.get(name) as SimNode;
  }

  private isRemembered({ upheavals, atMs }: Memo): boolean {
    return upheavals === this.world.upheavals && this.world.nowMs - atMs < MEMO_MS;
  }

  /** Nothing was found. A method that budgets have held back looks again next time all the same. */
  private remember(fresh: { readonly multi: boolean; readonly single: boolean }, open: LeftOpen): undefined {
    const memo = { upheavals: this.world.upheavals, atMs: this.world.nowMs };
    if (fresh.multi && !open.multiCut) this.multiMemo = memo;
    if (fresh.single && !open.singleCut) this.singleMemo = memo;
    return undefined;
  }

  /** The candidates among these nodes, in a cluster that is fit for questions about them. */
  private look(about: ReadonlySet<SimNode>): Pass {
    const cluster = this.view.compiled(about);
    const candidates: Candidate[] = [];
    for (let row = 0; row < cluster.rows.length; row++) {
      const node = this.world.nodes.get(cluster.rows[row].name);
      if (node === undefined || !about.has(node) || !isIdle(node, this.world.nowMs)) continue;
      const assessment = assess(cluster, row, STOCK_RULES);
      if (!('candidate' in assessment)) continue;
      if (refusalsByMethods(cluster, assessment.candidate, STOCK_RULES).length === 0)
        candidates.push(assessment.candidate);
    }
    return { cluster, simulation: new Simulation(cluster), candidates };
  }

  /** The second look: what is left of the decision; undefined if nothing. Prices are not looked at again. */
  private validate(decision: StockDecision): StockDecision | undefined {
    const pass = this.look(new Set(decision.nodes.flatMap((name) => this.world.nodes.get(name) ?? [])));
    const byName = new Map(pass.candidates.map((c) => [c.name, c]));
    const left = decision.nodes.flatMap((name) => byName.get(name) ?? []);
    if (decision.method === 'emptiness') {
      const again = emptiness(left.filter(isEmpty), remainingBudgets(this.world, 'Empty'));
      return again === undefined ? undefined : decisionOf(pass.cluster, again, 'emptiness');
    }
    if (left.length < decision.nodes.length || isCutByBudget(left, remainingBudgets(this.world, 'Underutilized')))
      return undefined;
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
