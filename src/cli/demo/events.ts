import type { Proposal, ReconcileReport } from '../../controller/report.ts';
import { GATE_OF_NODE_REFUSAL } from '../../engine/explanation/gate-names.ts';
import type { Refusal } from '../../engine/refusal.ts';
import type { RemovalCause, SimNode } from '../../simulator/sim-node.ts';
import type { World } from '../../simulator/world.ts';
import { type CommandEvent, CommandNumbers } from '../dashboard/command-events.ts';

export type ClusterEvent =
  | CommandEvent
  /** By Karpenter, for pending pods. */
  | { readonly kind: 'launched'; readonly nodes: number; readonly types: readonly string[] }
  /** A node that is removed by something other than Decant's command. */
  | {
      readonly kind: 'leaving';
      readonly node: string;
      readonly type: string;
      readonly cause: RemovalCause;
      pods: number;
    };

/** What the last pass left unchanged. */
export interface Staying {
  readonly nodes: ReadonlyMap<string, StayingNode>;
  /** Moves that a brake holds back. */
  readonly held: readonly NonNullable<Proposal['refusal']>[];
}

export interface StayingNode {
  /** The first of its reasons. */
  readonly refusal: Refusal;
  /** In a grace period: the result of the evaluation before it. */
  readonly before?: Refusal;
}

/** Launches within this time are one event. */
const TOGETHER_MS = 60_000;

/** Listens to the cluster and the controller, and emits events in order of time. */
export class EventCollector {
  staying: Staying = { nodes: new Map(), held: [] };
  abandoned = 0;
  /** Commands that are under way, oldest first. */
  readonly underWay = new Map<number, CommandEvent>();
  private readonly world: World;
  private readonly tell: (news: ClusterEvent, atMs: number) => void;
  private readonly numbers = new CommandNumbers();
  private readonly replacements = new Set<string>();
  private launches: { readonly sinceMs: number; readonly nodes: SimNode[] } | undefined;

  constructor(world: World, tell: (news: ClusterEvent, atMs: number) => void) {
    this.world = world;
    this.tell = tell;
  }

  /** `ours`: consolidation is done by Decant, which reports it itself. */
  listen({ ours }: { readonly ours: boolean }): void {
    this.world.listeners.push({
      nodeLaunched: (node) => this.launched(node),
      nodeDeleting: (node) => {
        const { name, type, removal } = node;
        if (removal === undefined || (ours && removal === 'consolidation')) return;
        this.publish({ kind: 'leaving', node: name, type: type.name, cause: removal, pods: podsOn(node) });
      },
    });
  }

  reported({ transitions, pass }: ReconcileReport): void {
    for (const command of transitions) {
      for (const { nodeClaim } of command.replacements) this.replacements.add(nodeClaim);
      const news = this.numbers.news(command);
      if (news === undefined) continue;
      if (news.kind === 'abandoned') this.abandoned++;
      if (news.kind === 'begun') this.underWay.set(news.number, news);
      else this.underWay.delete(news.number);
      this.publish(news);
      if (news.kind === 'begun') continue;
      for (const { nodeClaim } of command.replacements) this.replacements.delete(nodeClaim);
    }
    if (pass === undefined) return;
    const nodes = new Map<string, StayingNode>();
    for (const [node, [refusal]] of pass.nodeRefusals) {
      const before = evaluation(this.staying.nodes.get(node));
      if (refusal !== undefined) nodes.set(node, { refusal, ...(before === undefined ? {} : { before }) });
    }
    this.staying = { nodes, held: pass.proposals.flatMap(({ refusal }) => refusal ?? []) };
  }

  private launched(node: SimNode): void {
    if (this.launches === undefined || this.world.nowMs - this.launches.sinceMs > TOGETHER_MS) {
      this.flush();
      this.launches = { sinceMs: this.world.nowMs, nodes: [] };
    }
    this.launches.nodes.push(node);
  }

  private publish(news: ClusterEvent): void {
    this.flush();
    this.tell(news, this.world.nowMs);
  }

  /** Emits a pending event that more of its kind could have joined. */
  flush(): void {
    const { launches } = this;
    this.launches = undefined;
    // Commands report their own launches.
    const nodes = launches?.nodes.filter(({ name }) => !this.replacements.has(name)) ?? [];
    if (launches === undefined || nodes.length === 0) return;
    const types = [...new Set(nodes.map(({ type }) => type.name))].sort();
    this.tell({ kind: 'launched', nodes: nodes.length, types }, launches.sinceMs);
  }
}

/** The result of the last evaluated removal; nodes that are not candidates have none. */
function evaluation(known: StayingNode | undefined): Refusal | undefined {
  return known === undefined || known.refusal.code in GATE_OF_NODE_REFUSAL ? known?.before : known.refusal;
}

/** Pods that must be placed elsewhere. */
function podsOn({ pods }: SimNode): number {
  let count = 0;
  for (const { state } of pods) if (state.app.kind !== 'DaemonSet') count++;
  return count;
}
