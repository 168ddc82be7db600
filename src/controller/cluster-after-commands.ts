import { hasBit } from '../engine/cluster/bitset.ts';
import type { ClusterObjects, NodeClaimObject, NodeObject } from '../engine/cluster/objects.ts';
import { DISRUPTED_TAINT } from '../engine/cluster/well-known.ts';
import { consolidationBudgets } from '../engine/disruption/budgets.ts';
import { PoolReserve } from '../engine/gates/pool-reserve.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import type { SearchProblem } from '../engine/search/problem.ts';
import { sameTaint } from '../engine/selection/taints.ts';
import { type Command, isMovingPods } from './command.ts';
import { isTainted, withLeaving } from './leaving.ts';
import type { PassContext } from './pass-context.ts';
import { hintedRows } from './placement-hints.ts';

export interface Assumptions {
  /** Where pods of nodes that drain now go: where they are planned to (the default), or where they fit first. */
  readonly draining?: 'planned' | 'first-fit';
  /** Commands whose new nodes are not used. */
  readonly stopped?: readonly Command[];
}

/**
 * The cluster as it will be after all commands under way, to evaluate what else could go. Those commands go first, one
 * after the other, because their pods' capacity is reserved; nothing is placed on nodes in question.
 */
export class ClusterAfterCommands {
  readonly cluster: CompiledCluster;
  readonly simulation: Simulation;
  /** Nodes that may be disrupted besides those already being disrupted. */
  readonly budgets: SearchProblem['budgets'];
  private readonly rowOfClaim: ReadonlyMap<string, number>;
  /** Rows that pods of commands under way need, pending pods and those of nodes that something else deletes. */
  private readonly hosts = new Set<number>();
  private readonly draining: Assumptions['draining'];
  /** Virtual pods of CapacityBuffers that fit without the nodes in question. */
  private buffersPlaced = 0;

  constructor(
    { objects, rules, incremental }: Pick<PassContext, 'objects' | 'rules' | 'incremental'>,
    underWay: readonly Command[],
    asked: readonly Command[],
    { draining = 'planned', stopped = [] }: Assumptions = {},
  ) {
    this.draining = draining;
    const { nodes, nodeClaims } = withLeaving(objects, underWay);
    this.budgets = consolidationBudgets(objects, incremental.join(nodes, nodeClaims, rules.settings));
    const staying = withStaying(objects, underWay);
    this.cluster = incremental.compile(withoutOurTaints(staying, asked), rules.settings);
    this.simulation = new Simulation(this.cluster, { even: false, gate: PoolReserve.of(this.cluster, rules) });
    this.rowOfClaim = new Map(
      this.cluster.rows.flatMap(({ claim }, row) => (claim === undefined ? [] : [[claim.name, row]])),
    );
    for (const { nodeClaim } of stopped.flatMap((c) => c.replacements)) this.excludeClaim(nodeClaim, true);
    this.exclude(underWay, true);
    this.exclude(asked, true);
    const without = this.goFirst(underWay);
    if (without === 0) return;
    // Some find no place without the nodes in question. If they do with them, they need them.
    this.exclude(asked, false);
    const withThem = this.goFirst(underWay);
    this.exclude(asked, true);
    if (withThem < without) return;
    this.goFirst(underWay);
    this.hosts.clear();
  }

  rowOf(nodeClaim: string): number | undefined {
    return this.rowOfClaim.get(nodeClaim);
  }

  /** Pods of commands under way would have no place without this node. */
  isCountedOn(row: number): boolean {
    return this.hosts.has(row);
  }

  /** CapacityBuffers would lose capacity without the nodes in question, and this is one that holds some. */
  holdsBufferPods(row: number): boolean {
    const { bufferPlacements } = this.cluster;
    const held = [...bufferPlacements.values()].reduce((sum, pods) => sum + pods.length, 0);
    return bufferPlacements.has(row) && this.buffersPlaced < held;
  }

  private exclude(commands: readonly Command[], excluded: boolean): void {
    for (const { nodeClaim } of commands.flatMap((c) => c.nodes)) this.excludeClaim(nodeClaim, excluded);
  }

  private excludeClaim(nodeClaim: string, excluded: boolean): void {
    const row = this.rowOf(nodeClaim);
    if (row !== undefined) this.simulation.existing.exclude(row, excluded);
  }

  private rowsOf({ nodes }: Command): readonly number[] {
    return nodes.flatMap((n) => this.rowOfClaim.get(n.nodeClaim) ?? []);
  }

  private isVirtual(pod: number): boolean {
    return this.cluster.pods[pod].capacityBuffer !== undefined;
  }

  /**
   * Places pods without a node, then those of these commands at their planned destinations, including replacements that
   * are not running yet, and returns how many others find no place on running nodes.
   */
  private goFirst(commands: readonly Command[]): number {
    this.simulation.undoTo(0);
    const { pending, leaving } = this.cluster;
    const placed = this.simulation.keepPending();
    this.buffersPlaced = placed.filter(({ pod }) => this.isVirtual(pod)).length;
    this.hosts.clear();
    for (const { pod, row } of placed) if (!this.isVirtual(pod)) this.hosts.add(row);
    const waiting = [...pending, ...leaving].filter((pod) => !this.isVirtual(pod)).length;
    let count = waiting - (placed.length - this.buffersPlaced);
    for (const command of inOrder(commands)) {
      const rows = this.rowsOf(command);
      const hints = this.plannedFor(command, rows);
      const isAwaited = (pod: number) => (hints.get(pod) ?? 0) < 0;
      this.simulation.keeping(
        rows,
        ({ placements, claims, unplaced }) => {
          for (const { row } of placements) this.hosts.add(row);
          count += unplaced.length + claims.flatMap((c) => c.pods).filter((pod) => !isAwaited(pod)).length;
          return true;
        },
        { maxClaims: Infinity, areLeaving: true, hints },
      );
    }
    return count;
  }

  /** Nodes in question are used last. */
  private plannedFor(command: Command, rows: readonly number[]): ReadonlyMap<number, number> {
    const { placements, replacements } = command;
    if (isMovingPods(command) && this.draining === 'first-fit') return new Map();
    const rowOf = (number: number) => this.rowOf(replacements[number - 1]?.nodeClaim ?? '') ?? -number;
    const planned = [...(hintedRows(this.cluster, rows, placements, rowOf) ?? [])];
    const { gone } = this.simulation.existing;
    return new Map(planned.filter(([, row]) => row < 0 || !hasBit(gone, row)));
  }
}

/** Pods of commands that drain first are placed first. */
function inOrder(commands: readonly Command[]): readonly Command[] {
  const drainingMs = (c: Command) => c.drainingMs ?? Infinity;
  return [...commands].sort((a, b) =>
    drainingMs(a) === drainingMs(b) ? (a.id < b.id ? -1 : 1) : drainingMs(a) - drainingMs(b),
  );
}

/** Their pods are placed by the command, and not before everything else in an unknown order. */
function withStaying(objects: ClusterObjects, commands: readonly Command[]): ClusterObjects {
  const own = new Set(commands.flatMap((c) => c.nodes.map((n) => n.nodeClaim)));
  if (own.size === 0) return objects;
  const asStaying = (claim: NodeClaimObject) =>
    own.has(claim.name) && claim.terminating ? { ...claim, terminating: false } : claim;
  return { ...objects, nodeClaims: objects.nodeClaims.map(asStaying) };
}

/** Pods that need a node of these commands could run there once its command is abandoned. */
function withoutOurTaints(objects: ClusterObjects, asked: readonly Command[]): ClusterObjects {
  const names = new Set(asked.flatMap((c) => c.nodes.map((n) => n.node)));
  const isOurs = (node: NodeObject) => names.has(node.name) && isTainted(node);
  if (!objects.nodes.some(isOurs)) return objects;
  const untainted = (node: NodeObject) => ({
    ...node,
    taints: node.taints.filter((t) => !sameTaint(t, DISRUPTED_TAINT)),
  });
  return { ...objects, nodes: objects.nodes.map((node) => (isOurs(node) ? untainted(node) : node)) };
}
