import type { Action, ClusterPort, ClusterView } from '../controller/cluster-port.ts';
import type { Command } from '../controller/command.ts';
import { ClusterObserver } from './cluster-observer.ts';
import { runDaemonSets } from './daemon-sets.ts';
import { runDisturbances } from './disturbances.ts';
import { Draining } from './draining.ts';
import { logEvents } from './event-log.ts';
import { KarpenterView } from './karpenter-view.ts';
import { KubeScheduler } from './kube-scheduler.ts';
import { Kubelet } from './kubelet.ts';
import { Ledger } from './ledger.ts';
import { NodeLifecycle } from './node-lifecycle.ts';
import { Provisioner } from './provisioner.ts';
import type { Scenario } from './scenario.ts';
import { settle } from './starting-point.ts';
import { StockKarpenter } from './stock-karpenter.ts';
import { WorkloadControllers } from './workload-controllers.ts';
import { World } from './world.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Does stock Karpenter consolidate? Without, nobody does but who acts through the port. */
  readonly consolidation: 'none' | 'stock';
  /** Takes every event as a line. */
  readonly log?: (line: string) => void;
  readonly faults?: Faults;
}

/** What may go wrong between a controller and the cluster, as shares of actions. */
export interface Faults {
  /** Nothing happened, and the controller is told so. */
  readonly lost: number;
  /** It happened, and the controller is told that it did not. */
  readonly unacknowledged: number;
  /** It happened twice. */
  readonly repeated: number;
}

/** A cluster in virtual time, behind the same port as a real one. */
export class SimulatedCluster implements ClusterPort {
  readonly world: World;
  readonly ledger: Ledger;
  private readonly observer: ClusterObserver;
  private readonly lifecycle: NodeLifecycle;
  private readonly faults: Faults | undefined;
  private journal = new Map<string, Command>();
  private commands: readonly Command[] = [];

  constructor(scenario: Scenario, options: SimulationOptions) {
    const world = new World(scenario, options.seed);
    this.world = world;
    this.faults = options.faults;
    if (options.log !== undefined) logEvents(world, options.log);
    this.ledger = new Ledger(world);
    this.observer = new ClusterObserver(world);
    const scheduler = new KubeScheduler(world);
    runDaemonSets(world, scheduler);
    new Kubelet(world);
    this.lifecycle = new NodeLifecycle(world);
    new Draining(world, this.lifecycle);
    const view = new KarpenterView(world, this.observer, scheduler);
    new Provisioner(world, scheduler, this.lifecycle, view);
    runDisturbances(world);
    if (scenario.start !== undefined) settle(world, this.lifecycle, scenario.start);
    if (options.consolidation === 'stock')
      new StockKarpenter(world, scheduler, view, this.lifecycle, this.ledger).start();
    new WorkloadControllers(world).start();
  }

  get nowMs(): number {
    return this.world.nowMs;
  }

  /** When something will happen next of itself. */
  get nextMs(): number | undefined {
    return this.world.queue.nextMs;
  }

  /** Lets time pass. */
  advanceTo(untilMs: number): void {
    this.world.queue.runUntil(untilMs);
  }

  view(): ClusterView {
    return { objects: this.observer.objects(), commands: this.commands };
  }

  async act(action: Action): Promise<void> {
    const { faults } = this;
    const chance = faults === undefined ? 1 : this.world.chance.stream('faults').uniform();
    const { lost = 0, unacknowledged = 0, repeated = 0 } = faults ?? {};
    if (chance < lost) throw new Error(`${action.kind}: connection refused`);
    this.carryOut(action);
    if (chance < lost + unacknowledged) throw new Error(`${action.kind}: connection reset`);
    if (chance < lost + unacknowledged + repeated) this.carryOut(action);
  }

  private carryOut(action: Action): void {
    const { world } = this;
    switch (action.kind) {
      case 'save-command':
        this.save(action.command);
        return;
      case 'forget-command':
        this.journal.delete(action.command);
        this.commands = [...this.journal.values()];
        return;
      case 'taint':
      case 'untaint': {
        const node = world.nodes.get(action.node);
        if (node !== undefined && !node.deleting) world.taint(node, action.kind === 'taint');
        return;
      }
      case 'create-node-claim': {
        const { nodeClaim: name, nodePool, requirements, requests } = action.replacement;
        if (world.nodeOfClaim(name) !== undefined || world.failedClaims.has(name)) return;
        this.lifecycle.launch({ name, nodePool, requirements, requests });
        return;
      }
      case 'delete-node-claim': {
        const node = world.nodeOfClaim(action.nodeClaim);
        if (node !== undefined) world.deleteNode(node, 'consolidation');
        return;
      }
    }
  }

  private save(command: Command): void {
    const before = this.journal.get(command.id);
    this.journal.set(command.id, command);
    if (command.phase === 'done' && before?.phase !== 'done') {
      this.ledger.carriedOut({
        kind: command.replacements.length === 0 ? 'delete' : 'replace',
        nodes: command.nodes.length,
        predictedSavings: command.predicted.savingsCentsPerHour / 100,
        realisedSavings: (command.realised ?? command.predicted).savingsCentsPerHour / 100,
      });
    }
    this.commands = [...this.journal.values()];
  }
}
