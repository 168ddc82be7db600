import { launchRequirements } from '../controller/launch.ts';
import { finalize } from '../engine/moves/replacement.ts';
import type { IncrementalCluster } from '../engine/pass/incremental-cluster.ts';
import type { CompiledCluster } from '../engine/scheduling/compiled-cluster.ts';
import { type Outcome, Simulation } from '../engine/scheduling/simulation.ts';
import { STOCK_SETTINGS } from '../engine/settings.ts';
import type { ClusterObserver } from './cluster-observer.ts';
import type { KubeScheduler } from './kube-scheduler.ts';
import type { NodeLifecycle } from './node-lifecycle.ts';
import type { SimNode } from './sim-node.ts';
import { podName, type SimPod } from './sim-pod.ts';
import type { World } from './world.ts';

/** Karpenter's batch idle duration and batch max duration. */
const IDLE_MS = 1000;
const MAX_MS = 10_000;
/** How long a node stays nominated: twice the batch max duration. */
const NOMINATION_MS = 20_000;
/** Backoff for pods without a node: doubles from the first to the second. */
const RETRY_MS = 10_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** Karpenter's provisioner: simulates batches of pending pods and launches NodeClaims for those without room. */
export class Provisioner {
  private readonly world: World;
  private readonly scheduler: KubeScheduler;
  private readonly lifecycle: NodeLifecycle;
  private readonly observer: ClusterObserver;
  private readonly cluster: IncrementalCluster;
  private openedMs: number | undefined;
  private lastMs = 0;
  private retryMs = RETRY_MS;

  constructor(
    world: World,
    scheduler: KubeScheduler,
    lifecycle: NodeLifecycle,
    observer: ClusterObserver,
    cluster: IncrementalCluster,
  ) {
    this.world = world;
    this.scheduler = scheduler;
    this.lifecycle = lifecycle;
    this.observer = observer;
    this.cluster = cluster;
    world.listeners.push({
      podUnschedulable: () => this.trigger(),
      podImported: (pod) => {
        if (pod.object.unschedulable) this.trigger();
      },
      // Consolidation deletes nodes only after it found room for their pods.
      nodeDeleting: (node) => {
        if (node.removal !== 'consolidation') this.trigger();
      },
      nodeReady: (node) => {
        node.nominatedUntilMs = world.nowMs + NOMINATION_MS;
        this.retryAfterScheduling(node);
      },
      nodeGone: (node) => this.retryAfterScheduling(node),
      launchFailed: () => this.retry(RETRY_MS),
    });
  }

  private trigger(): void {
    this.lastMs = this.world.nowMs;
    if (this.openedMs !== undefined) return;
    this.openedMs = this.lastMs;
    this.world.queue.after(IDLE_MS, () => this.closeBatch());
  }

  private closeBatch(): void {
    const { nowMs, queue } = this.world;
    const openedMs = this.openedMs ?? nowMs;
    const closesMs = Math.min(this.lastMs + IDLE_MS, openedMs + MAX_MS);
    if (nowMs < closesMs) {
      queue.at(closesMs, () => this.closeBatch());
      return;
    }
    this.openedMs = undefined;
    this.provision();
  }

  /** Provisions again for pods that were expected on this node and are still pending. */
  private retryAfterScheduling(node: SimNode): void {
    this.world.queue.after(IDLE_MS, () => {
      const stillPending = [...this.scheduler.pending].filter((pod) => pod.expectedOn === node);
      for (const pod of stillPending) pod.expectedUntilMs = 0;
      if (stillPending.length > 0) this.trigger();
    });
  }

  private retry(delayMs: number): void {
    this.world.queue.after(delayMs, () => {
      if (this.scheduler.pending.size > 0) this.trigger();
    });
  }

  private provision(): void {
    const { nowMs } = this.world;
    const waiting = [...this.scheduler.pending].filter((p) => p.object.unschedulable && p.expectedUntilMs <= nowMs);
    const leaving = [...this.world.nodes.values()].some((n) => n.deleting || n.marked);
    if (waiting.length === 0 && !leaving) return;
    const cluster = this.cluster.compile(this.observer.asKarpenterSees(), STOCK_SETTINGS);
    const served = new Simulation(cluster).removing([], (outcome) => this.launchFor(cluster, outcome));
    const without = waiting.filter((p) => !served.has(p));
    if (without.length === 0) {
      this.retryMs = RETRY_MS;
      return;
    }
    this.retry(this.retryMs);
    this.retryMs = Math.min(2 * this.retryMs, LONGEST_RETRY_MS);
  }

  /** Launches the NodeClaims of the simulation; returns the pods that now have a node to come. */
  private launchFor(cluster: CompiledCluster, { claims, placements }: Outcome): Set<SimPod> {
    const { world } = this;
    const served = new Set<SimPod>();
    const expect = (index: number, node: SimNode) => {
      const pod = world.pods.get(podName({ object: cluster.pods[index] }));
      if (pod === undefined || pod.node !== undefined) return;
      pod.expectedOn = node;
      pod.expectedUntilMs = node.readyMs === undefined ? Number.POSITIVE_INFINITY : world.nowMs + NOMINATION_MS;
      served.add(pod);
    };
    for (const { pod, row } of placements) {
      const node = world.nodes.get(cluster.rows[row].name);
      if (node === undefined) continue;
      node.nominatedUntilMs = world.nowMs + NOMINATION_MS;
      expect(pod, node);
      if (node.readyMs !== undefined) this.retry(NOMINATION_MS);
    }
    for (const claim of claims) {
      const launch = finalize(cluster, claim);
      if (launch === undefined) continue;
      const nodePool = cluster.templates[launch.template].pool.name;
      const node = this.lifecycle.launch({
        name: this.lifecycle.nextName(nodePool),
        nodePool,
        requirements: launchRequirements(cluster, launch),
        requests: {},
      });
      if (node === undefined) continue;
      node.nominatedUntilMs = Number.POSITIVE_INFINITY;
      for (const pod of launch.pods) expect(pod, node);
    }
    return served;
  }
}
