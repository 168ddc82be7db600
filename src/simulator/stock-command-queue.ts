import type { Ledger } from './ledger.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import type { SimNode } from './sim-node.ts';
import type { StockDecision } from './stock-decision.ts';
import type { World } from './world.ts';

/** karpenter-semantics §0, §9. */
const RETRY_MS = 1000;
const TIMEOUT_MS = 10 * 60_000;
const NOMINATION_MS = 20_000;

/** Executes stock Karpenter's commands: taint, replace, wait, delete. Commands may overlap. */
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
    const removed = decision.nodes.flatMap((name) => world.nodes.get(name) ?? []);
    for (const node of removed) world.taint(node, true);
    const replacements = decision.replacements.map(({ nodePool, requirements }) =>
      this.lifecycle.launch({ name: this.lifecycle.nextName(nodePool), nodePool, requirements, requests: {} }),
    );
    for (const node of removed) world.mark(node, true);
    for (const name of decision.destinations) {
      const node = world.nodes.get(name);
      if (node !== undefined) node.nominatedUntilMs = Math.max(node.nominatedUntilMs, world.nowMs + NOMINATION_MS);
    }
    for (const node of replacements) if (node !== undefined) node.nominatedUntilMs = Number.POSITIVE_INFINITY;
    this.proceed(decision, removed, replacements, world.nowMs);
  }

  private proceed(
    decision: StockDecision,
    removed: readonly SimNode[],
    replacements: readonly (SimNode | undefined)[],
    startedMs: number,
  ): void {
    const { world } = this;
    const lost = replacements.some((node) => node === undefined || node.gone);
    if (lost || world.nowMs - startedMs > TIMEOUT_MS) {
      this.abandon(removed);
    } else if (replacements.every((node) => node?.readyMs !== undefined)) {
      this.finish(decision, removed, replacements);
    } else {
      world.queue.after(RETRY_MS, () => this.proceed(decision, removed, replacements, startedMs));
    }
  }

  /** Launched replacements stay, as in Karpenter. */
  private abandon(removed: readonly SimNode[]): void {
    for (const node of removed) {
      if (node.gone) continue;
      this.world.mark(node, false);
      this.world.taint(node, false);
    }
  }

  private finish(
    decision: StockDecision,
    removed: readonly SimNode[],
    replacements: readonly (SimNode | undefined)[],
  ): void {
    const price = (nodes: readonly (SimNode | undefined)[]) => nodes.reduce((sum, n) => sum + (n?.price ?? 0), 0);
    this.ledger.commandExecuted({
      kind: decision.kind,
      nodes: removed.length,
      predictedSavings: decision.savings,
      realisedSavings: price(removed) - price(replacements),
    });
    for (const node of removed) if (!node.gone) this.world.deleteNode(node, 'consolidation');
  }
}
