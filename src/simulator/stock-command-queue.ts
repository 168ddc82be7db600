import type { Ledger } from './ledger.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import type { SimNode } from './sim-node.ts';
import type { StockDecision } from './stock-decision.ts';
import type { World } from './world.ts';

/** karpenter-semantics §0, §9. */
const RETRY_MS = 1000;
const TIMEOUT_MS = 10 * 60_000;
const NOMINATION_MS = 20_000;

/** Carries stock Karpenter's commands out: taint, replace, wait, delete. Several may be under way. */
export class StockCommandQueue {
  private readonly world: World;
  private readonly lifecycle: NodeLifecycle;
  private readonly ledger: Ledger;

  constructor(world: World, lifecycle: NodeLifecycle, ledger: Ledger) {
    this.world = world;
    this.lifecycle = lifecycle;
    this.ledger = ledger;
  }

  start(decision: StockDecision): void {
    const { world } = this;
    const leaving = decision.nodes.flatMap((name) => world.nodes.get(name) ?? []);
    for (const node of leaving) world.taint(node, true);
    const coming = decision.replacements.map(({ nodePool, requirements }) =>
      this.lifecycle.launch({ name: this.lifecycle.nextName(nodePool), nodePool, requirements, requests: {} }),
    );
    for (const node of leaving) world.mark(node, true);
    for (const name of decision.destinations) {
      const node = world.nodes.get(name);
      if (node !== undefined) node.nominatedUntilMs = Math.max(node.nominatedUntilMs, world.nowMs + NOMINATION_MS);
    }
    for (const node of coming) if (node !== undefined) node.nominatedUntilMs = Number.POSITIVE_INFINITY;
    this.proceed(decision, leaving, coming, world.nowMs);
  }

  private proceed(
    decision: StockDecision,
    leaving: readonly SimNode[],
    coming: readonly (SimNode | undefined)[],
    startedMs: number,
  ): void {
    const { world } = this;
    const lost = coming.some((node) => node === undefined || node.gone);
    if (lost || world.nowMs - startedMs > TIMEOUT_MS) {
      this.giveUp(leaving);
    } else if (coming.every((node) => node?.readyMs !== undefined)) {
      this.finish(decision, leaving, coming);
    } else {
      world.queue.after(RETRY_MS, () => this.proceed(decision, leaving, coming, startedMs));
    }
  }

  /** Replacements that were launched stay, as in Karpenter. */
  private giveUp(leaving: readonly SimNode[]): void {
    for (const node of leaving) {
      if (node.gone) continue;
      this.world.mark(node, false);
      this.world.taint(node, false);
    }
  }

  private finish(decision: StockDecision, leaving: readonly SimNode[], coming: readonly (SimNode | undefined)[]): void {
    const price = (nodes: readonly (SimNode | undefined)[]) => nodes.reduce((sum, n) => sum + (n?.price ?? 0), 0);
    this.ledger.carriedOut({
      kind: decision.kind,
      nodes: leaving.length,
      predictedSavings: decision.savings,
      realisedSavings: price(leaving) - price(coming),
    });
    for (const node of leaving) if (!node.gone) this.world.deleteNode(node, 'consolidation');
  }
}
