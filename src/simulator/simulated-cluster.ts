import type { Action, ClusterPort, ClusterView } from '../controller/cluster-port.ts';
import type { Command } from '../controller/command.ts';
import { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import { ClusterObserver } from './cluster-observer.ts';
import { runDaemonSets } from './daemon-sets.ts';
import { Draining } from './draining.ts';
import { importCluster } from './import-cluster.ts';
import { KubeScheduler } from './kube-scheduler.ts';
import { Kubelet } from './kubelet.ts';
import { Ledger } from './ledger.ts';
import { scheduleNodeDisruptions } from './node-disruptions.ts';
import { NodeLifecycle } from './node-lifecycle.ts';
import { Provisioner } from './provisioner.ts';
import type { Scenario } from './scenario.ts';
import { podName } from './sim-pod.ts';
import { StockKarpenter } from './stock-karpenter.ts';
import { WorkloadControllers } from './workload-controllers.ts';
import { World } from './world.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** Whether stock Karpenter consolidates. */
  readonly consolidation: 'none' | 'stock';
  /** Receives every event as a line. */
  readonly log?: (line: string) => void;
  readonly faults?: Faults;
}

/** Faults between controller and API server, as shares of actions. */
export interface Faults {
  /** The action fails. */
  readonly lost: number;
  /** The action succeeds, but the controller gets an error. */
  readonly unacknowledged: number;
  /** The action is executed twice. */
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
    const karpenter = new IncrementalCluster();
    new Provisioner(world, scheduler, this.lifecycle, this.observer, karpenter);
    scheduleNodeDisruptions(world);
    if (scenario.start !== undefined) importCluster(world, this.lifecycle, scenario.start);
    if (options.consolidation === 'stock')
      new StockKarpenter(world, this.observer, karpenter, this.lifecycle, this.ledger).start();
    new WorkloadControllers(world).start();
  }

  get nowMs(): number {
    return this.world.nowMs;
  }

  /** Time of the next event. */
  get nextMs(): number | undefined {
    return this.world.queue.nextMs;
  }

  /** Advances virtual time. */
  advanceTo(untilMs: number): void {
    this.world.queue.runUntil(untilMs);
  }

  view(): ClusterView {
    return { objects: this.observer.objects(), commands: this.commands };
  }

  async act(action: Action): Promise<void> {
    const { faults } = this;
    const random = faults === undefined ? 1 : this.world.random.stream('faults').uniform();
    const { lost = 0, unacknowledged = 0, repeated = 0 } = faults ?? {};
    if (random < lost) throw new Error(`${action.kind}: connection refused`);
    this.execute(action);
    if (random < lost + unacknowledged) throw new Error(`${action.kind}: connection reset`);
    if (random < lost + unacknowledged + repeated) this.execute(action);
  }

  private execute(action: Action): void {
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
      case 'steer-node': {
        const node = world.nodes.get(action.node);
        if (node !== undefined) world.steerNode(node, action.steered);
        return;
      }
      case 'steer-pod': {
        const pod = world.pods.get(`${action.namespace}/${action.name}`);
        if (pod?.object.uid === action.uid) world.steerPod(pod, action.cost);
        return;
      }
      case 'restart-deployment': {
        const state = world.stateOfDeployment(action.uid);
        const { command, undo } = action;
        if (state === undefined || (state.restartedBy === command) === (undo === undefined)) return;
        world.setRevision(
          state,
          state.revision + (undo === undefined ? 1 : -1),
          undo === undefined ? command : undo.before,
        );
        return;
      }
      case 'extra-replica': {
        const state = world.stateOfDeployment(action.uid);
        const { command, wanted } = action;
        if (state !== undefined && (state.extraReplica === command) !== wanted)
          world.setExtraReplica(state, wanted ? command : undefined);
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
      this.ledger.commandExecuted({
        kind: command.replacements.length === 0 ? 'delete' : 'replace',
        nodes: command.nodes.length,
        rollouts: command.rollouts?.length ?? 0,
        predictedSavings: command.predicted.savingsCentsPerHour / 100,
        realisedSavings: (command.realised ?? command.predicted).savingsCentsPerHour / 100,
      });
    }
    this.commands = [...this.journal.values()];
  }
}

/** Writes every event as a line: milliseconds since the start, event, object. */
function logEvents(world: World, write: (line: string) => void): void {
  const { startMs } = world.scenario;
  const line = (what: string, ...who: readonly string[]) => write(`${world.nowMs - startMs} ${what} ${who.join(' ')}`);
  world.listeners.push({
    appScaled: ({ app, desired }) => line('scaled', `${app.namespace}/${app.name}`, String(desired)),
    podCreated: (pod) => line('pod-created', podName(pod)),
    podUnschedulable: (pod) => line('pod-unschedulable', podName(pod)),
    podBound: (pod, node) => line('pod-bound', podName(pod), node.name),
    podReady: (pod) => line('pod-ready', podName(pod)),
    podStopping: (pod, cause) => line('pod-stopping', podName(pod), cause),
    podGone: (pod) => line('pod-gone', podName(pod)),
    nodeLaunched: (n) => line('node-launched', n.name, n.type.name, n.zone, n.capacityType, n.price.toFixed(4)),
    nodeReady: (node) => line('node-ready', node.name),
    nodeDeleting: (node) => line('node-deleting', node.name, node.removal ?? ''),
    nodeGone: (node) => line('node-gone', node.name),
    launchFailed: (claim) => line('launch-failed', claim.name),
    pricesChanged: () => line('prices-changed'),
  });
}
