import { poolTotals } from '../engine/disruption/balanced.ts';
import { type Candidate, isEmpty } from '../engine/disruption/candidates.ts';
import { assess, refusalsByMethods } from '../engine/gates/assessment.ts';
import { alone } from '../engine/moves/alone.ts';
import { finalize } from '../engine/moves/replacement.ts';
import type { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { deletionOfEmpty } from '../engine/search/stock/emptiness.ts';
import { largestPrefix } from '../engine/search/stock/multi-node.ts';
import { STOCK_RULES, STOCK_SETTINGS } from '../engine/settings.ts';
import type { ClusterObserver } from './cluster-observer.ts';
import { isConsolidatable } from './consolidate-after.ts';
import type { Ledger } from './ledger.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import { PodSizes } from './pod-sizes.ts';
import type { SimNode } from './sim-node.ts';
import {
  emptyNodes,
  noCandidates,
  remainingByPool,
  type StockCandidates,
  simulationsUntil,
  stockCandidates,
} from './stock-candidates.ts';
import { StockCommandQueue } from './stock-command-queue.ts';
import { type StockDecision, stockDecisionOf } from './stock-decision.ts';
import type { World } from './world.ts';

/** karpenter-semantics §0. */
const POLL_MS = 10_000;
const VALIDATION_MS = 15_000;
const MEMO_MS = 5 * 60_000;

/**
 * Time that Karpenter takes to simulate one removal, per node of the cluster: 1,000 nodes take 120 to 258 s
 * (bench/README.md). Its disruption loop does nothing else meanwhile.
 */
const SIMULATION_MS_PER_NODE = 0.15;

interface Prepared {
  readonly cluster: CompiledCluster;
  readonly simulation: Simulation;
  readonly candidates: readonly Candidate[];
}

/** Cluster state in which a method found nothing. */
interface Memo {
  readonly consolidationState: number;
  readonly atMs: number;
}

const NEVER: Memo = { consolidationState: -1, atMs: Number.NEGATIVE_INFINITY };

/** Stock Karpenter's disruption loop (karpenter-semantics §3, §4, §9), on the engine with Karpenter's settings. */
export class StockKarpenter {
  private readonly world: World;
  private readonly observer: ClusterObserver;
  private readonly cluster: IncrementalCluster;
  private readonly commands: StockCommandQueue;
  private readonly sizes: PodSizes;
  /** Simulations that Karpenter would run in this pass. */
  private simulations = 0;
  private multiMemo = NEVER;
  private singleMemo = NEVER;
  /** World version without a decision, and until when that holds. */
  private quiet = { version: -1, untilMs: Number.NEGATIVE_INFINITY };
  /** Budgets with a schedule or pods with a do-not-disrupt duration: decisions change without an event. */
  private readonly watchesClock: boolean;

  constructor(
    world: World,
    observer: ClusterObserver,
    cluster: IncrementalCluster,
    lifecycle: NodeLifecycle,
    ledger: Ledger,
  ) {
    this.watchesClock =
      world.scenario.nodePools.some((p) => p.budgets.some((b) => b.schedule !== undefined)) ||
      world.scenario.apps.some((app) => app.doNotDisrupt !== undefined && app.doNotDisrupt !== 'true');
    this.world = world;
    this.observer = observer;
    this.cluster = cluster;
    this.sizes = new PodSizes(world);
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
    // The wait for validation blocks the loop.
    this.world.queue.after(passMs + VALIDATION_MS, () => {
      const valid = this.validate(found);
      if (valid !== undefined) this.commands.start(valid);
      this.world.queue.after(valid === undefined ? POLL_MS : 0, () => this.poll());
    });
  }

  /** Skips the search while nothing changed since the last one without a decision. */
  private decide(): StockDecision | undefined {
    const { version, nowMs } = this.world;
    if (this.quiet.version === version && nowMs < this.quiet.untilMs) return undefined;
    const found = this.search();
    if (found === undefined) this.quiet = { version, untilMs: this.nextChangeMs() };
    return found;
  }

  /** The next time at which a pass could decide otherwise without an event. */
  private nextChangeMs(): number {
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
    const open = fresh.multi || fresh.single ? stockCandidates(this.world, this.sizes, fresh) : noCandidates();
    const found = this.firstDecision(emptyNodes(this.world), open);
    this.simulations = simulationsUntil(found, open);
    return found ?? this.remember(fresh, open);
  }

  /** The decision of the first method that has one. */
  private firstDecision(empty: readonly SimNode[], { multi, single }: StockCandidates): StockDecision | undefined {
    if (empty.length + multi.size + single.length === 0) return undefined;
    const pass = this.prepare();
    return this.decideEmpty(pass) ?? this.decideMultiNode(pass, multi) ?? this.decideSingleNode(pass, single);
  }

  private decideEmpty({ cluster, simulation, candidates }: Prepared): StockDecision | undefined {
    const move = deletionOfEmpty(simulation, candidates, remainingByPool(this.world, 'Empty'));
    return move === undefined ? undefined : stockDecisionOf(cluster, move, 'emptiness');
  }

  private decideMultiNode(pass: Prepared, nodes: ReadonlySet<SimNode>): StockDecision | undefined {
    if (nodes.size === 0) return undefined;
    const { cluster, simulation } = pass;
    const candidates = pass.candidates.filter((c) => !isEmpty(c) && nodes.has(this.nodeOf(c)));
    const budgets = { Empty: new Map(), Underutilized: remainingByPool(this.world, 'Underutilized') };
    const move = largestPrefix({ simulation, budgets, totals: poolTotals(cluster, pass.candidates) }, candidates);
    return move === undefined ? undefined : stockDecisionOf(cluster, move, 'multi');
  }

  /** Tries nodes in this order. */
  private decideSingleNode(pass: Prepared, nodes: readonly SimNode[]): StockDecision | undefined {
    const { cluster, simulation } = pass;
    const byNode = new Map(pass.candidates.map((c) => [this.nodeOf(c), c]));
    const totals = poolTotals(cluster, pass.candidates);
    for (const node of nodes) {
      const candidate = byNode.get(node);
      if (candidate === undefined || isEmpty(candidate)) continue;
      const verdict = alone(simulation, candidate, totals);
      if ('move' in verdict) return stockDecisionOf(cluster, verdict.move, 'single');
    }
    return undefined;
  }

  private nodeOf({ name }: Candidate): SimNode {
    return this.world.nodes.get(name) as SimNode;
  }

  private isRemembered({ consolidationState, atMs }: Memo): boolean {
    return consolidationState === this.world.consolidationState && this.world.nowMs - atMs < MEMO_MS;
  }

  /** No decision. As in Karpenter, a method that budgets constrained is not memoized. */
  private remember(fresh: { readonly multi: boolean; readonly single: boolean }, open: StockCandidates): undefined {
    const memo = { consolidationState: this.world.consolidationState, atMs: this.world.nowMs };
    if (fresh.multi && !open.multiConstrained) this.multiMemo = memo;
    if (fresh.single && !open.singleConstrained) this.singleMemo = memo;
    return undefined;
  }

  /** Compiles the cluster and assesses its nodes. */
  private prepare(): Prepared {
    const cluster = this.cluster.compile(this.observer.asKarpenterSees(), STOCK_SETTINGS);
    const candidates: Candidate[] = [];
    for (let row = 0; row < cluster.rows.length; row++) {
      const node = this.world.nodes.get(cluster.rows[row].name);
      if (node === undefined || !isConsolidatable(node, this.world.nowMs)) continue;
      const assessment = assess(cluster, row, STOCK_RULES);
      if (!('candidate' in assessment)) continue;
      if (refusalsByMethods(cluster, assessment.candidate, STOCK_RULES).length === 0)
        candidates.push(assessment.candidate);
    }
    return { cluster, simulation: new Simulation(cluster), candidates };
  }

  /** Karpenter's validation: what is left of the decision, or undefined. Does not check prices again. */
  private validate(decision: StockDecision): StockDecision | undefined {
    const pass = this.prepare();
    const byName = new Map(pass.candidates.map((c) => [c.name, c]));
    const left = decision.nodes.flatMap((name) => byName.get(name) ?? []);
    if (decision.method === 'emptiness') {
      const again = deletionOfEmpty(pass.simulation, left, remainingByPool(this.world, 'Empty'));
      return again === undefined ? undefined : stockDecisionOf(pass.cluster, again, 'emptiness');
    }
    if (left.length < decision.nodes.length || isCutByBudget(left, remainingByPool(this.world, 'Underutilized')))
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

/** More candidates of some pool than its budget allows. */
function isCutByBudget(candidates: readonly Candidate[], budgets: Map<string, number>): boolean {
  return candidates.some(({ pool }) => {
    const left = (budgets.get(pool.name) ?? 0) - 1;
    budgets.set(pool.name, left);
    return left < 0;
  });
}
