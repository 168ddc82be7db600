import type { Command } from '../../src/controller/command.ts';
import { isUnderWay } from '../../src/controller/leaving.ts';
import type { Taint } from '../../src/engine/cluster/objects.ts';
import type { FakeCluster } from '../build/fake-cluster.ts';
import { MINUTE_MS } from '../build/units.ts';

/** What else a story does to its cluster. */
export interface Events {
  /** Karpenter begins to disrupt it. */
  takeForDrift(nodeClaim: string): void;
  /** Its machine is lost. */
  takeAway(nodeClaim: string): void;
  /** No more pods go to it. */
  shake(nodeClaim: string): void;
  /** A new pod takes this share of a node's free capacity. */
  land(share: number): void;
}

const CORDON: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

/** What may happen to commands that are under way, to their nodes and to their pods, at the worst time. */
export class CommandFaults {
  private readonly port: FakeCluster;
  private readonly dice: () => number;
  private readonly events: Events;
  /** Budgets of pools are Karpenter's. */
  private readonly interlock: boolean;

  constructor(port: FakeCluster, dice: () => number, events: Events) {
    this.port = port;
    this.dice = dice;
    this.events = events;
    this.interlock = port.interlock;
  }

  happen(): void {
    const underWay = this.port.commands.filter(isUnderWay);
    const command = underWay.at(this.below(underWay.length));
    if (command?.phase === 'waiting') this.whileWaiting(command);
    else if (command?.phase === 'launching') this.whileLaunching(command);
    else if (command?.phase === 'draining') this.whileDraining(command);
  }

  /** The decision is not validated yet. */
  private whileWaiting(command: Command): void {
    const { port } = this;
    const node = command.nodes[this.below(command.nodes.length)];
    switch (this.below(5)) {
      case 0:
        port.jump((this.dice() < 0.7 ? -1 : 1) * (20 + this.below(40)) * MINUTE_MS);
        break;
      case 1:
        this.handOver(node.nodePool);
        break;
      case 2:
        this.events.takeForDrift(node.nodeClaim);
        break;
      case 3:
        this.shrinkBudget(node.nodePool);
        break;
      default:
        this.events.land(0.7);
    }
  }

  private whileLaunching(command: Command): void {
    const { port } = this;
    const node = command.nodes[this.below(command.nodes.length)];
    const pods = port.objects.pods.filter((p) => p.nodeName === node.node);
    const victim = pods.at(this.below(pods.length));
    switch (this.below(9)) {
      case 0:
        port.changeBudget('guard', { disruptionsAllowed: 1 });
        break;
      case 1:
      case 2:
        this.shrinkBudget(node.nodePool);
        break;
      case 3:
        if (victim !== undefined) port.changePod(victim.name, () => ({ labels: { app: 'web' } }));
        break;
      case 4:
        if (victim !== undefined) port.changePod(victim.name, () => ({ doNotDisrupt: 'true' }));
        break;
      case 5:
        this.events.takeForDrift(node.nodeClaim);
        break;
      case 6:
        this.handOver(node.nodePool);
        break;
      default:
        this.events.land(0.7);
    }
  }

  /** Nodes that its pods may go to are lost, or take no more pods. */
  private whileDraining({ nodes }: Command): void {
    const { nodeClaims } = this.port.objects;
    const underWay = this.port.commands.filter(isUnderWay).flatMap((c) => c.nodes);
    const own = new Set([...nodes, ...underWay].map((n) => n.nodeClaim));
    const others = nodeClaims.filter((c) => !own.has(c.name) && !c.terminating && c.nodeName !== '');
    if (this.dice() < 0.2) {
      const lost = others.at(this.below(others.length));
      if (lost !== undefined) this.events.takeAway(lost.name);
      return;
    }
    for (const { name, nodeName } of others.filter(() => this.dice() < 0.7)) {
      this.events.shake(name);
      this.port.changeNode(nodeName, ({ taints }) => ({ taints: [...taints, CORDON] }));
    }
  }

  private shrinkBudget(nodePool: string): void {
    if (!this.interlock) this.port.changePool(nodePool, { budgets: [{ nodes: '1' }] });
  }

  /** Karpenter consolidates the pool from now on, or it is being deleted. */
  private handOver(nodePool: string): void {
    if (this.interlock) this.port.changePool(nodePool, { consolidateAfterMs: 30_000 });
    else if (this.dice() < 0.3) this.port.changePool(nodePool, { terminating: true });
  }

  private below(n: number): number {
    return Math.floor(this.dice() * n);
  }
}
