import { costOfNodes } from './cluster-cost.ts';
import { Histogram } from './histogram.ts';
import type { RemovalCause, SimNode } from './sim-node.ts';
import { type AppState, isInvoluntary, type SimPod, type StopCause } from './sim-pod.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;
/** An eviction within this time after the previous one counts as a re-eviction. */
const AGAIN_MS = 30 * 60_000;

/** In place of a pool: what commitments cost beyond the list prices that they pay for; below 0 if they pay. */
const COMMITMENTS = 'commitments';

/** An executed command; savings in dollars per hour. */
export interface ExecutedCommand {
  readonly kind: 'delete' | 'replace';
  readonly nodes: number;
  /** Pods that were rolled, not evicted. */
  readonly rollouts?: number;
  readonly predictedSavings: number;
  readonly realisedSavings: number;
}

export interface LedgerSummary {
  readonly hours: number;
  readonly costDollars: number;
  /** Dollars by NodePool and capacity type, as pool/type, at list prices; `commitments` is the difference that they make. */
  readonly costByPool: Readonly<Record<string, number>>;
  readonly nodeHours: number;
  readonly nodesLaunched: number;
  readonly launchesFailed: number;
  readonly podsCreated: number;
  /** Pods evicted or lost that their workload still wants; DaemonSets aside. */
  readonly evictions: number;
  readonly evictionsByCause: Readonly<Record<string, number>>;
  readonly evictionsByWorkload: Readonly<Record<string, number>>;
  /** Work of evicted Job pods, which start again from the beginning: the time they had run. */
  readonly lostPodHours: number;
  /** Evictions of pods whose predecessor was evicted less than 30 minutes before. */
  readonly reevictions: number;
  readonly nodeLifetimeP50Minutes: number;
  readonly nodeLifetimeP95Minutes: number;
  readonly pendingP50Seconds: number;
  readonly pendingP95Seconds: number;
  /** Desired replicas that are not ready, integrated over time; Jobs and DaemonSets aside. */
  readonly unavailablePodSeconds: number;
  readonly commands: number;
  /** Pods that commands rolled instead of evicting them. */
  readonly rollouts: number;
  readonly predictedSavingsDollarsPerHour: number;
  readonly realisedSavingsDollarsPerHour: number;
}

/** Figures of a run, kept as running sums: memory does not grow with its length. */
export class Ledger {
  private readonly world: World;
  private readonly startMs: number;
  private readonly billedSince = new Map<SimNode, number>();
  private readonly cost = new Map<string, number>();
  private readonly lifetimes = new Histogram();
  private readonly pending = new Histogram();
  private readonly byCause = new Map<string, number>();
  private readonly byWorkload = new Map<string, number>();
  private readonly shortSince = new Map<AppState, { sinceMs: number; pods: number }>();
  private committedSinceMs: number;
  private nodeMs = 0;
  private launched = 0;
  private failed = 0;
  private created = 0;
  private evictions = 0;
  private lostMs = 0;
  private reevictions = 0;
  private unavailableMs = 0;
  private commands = 0;
  private rollouts = 0;
  private predicted = 0;
  private realised = 0;

  constructor(world: World) {
    this.world = world;
    this.startMs = world.nowMs;
    this.committedSinceMs = world.nowMs;
    world.listeners.push({
      nodeLaunched: (node) => {
        this.launched++;
        this.billCommitments(this.cost);
        this.billedSince.set(node, world.nowMs);
      },
      nodeImported: (node) => {
        this.billCommitments(this.cost);
        this.billedSince.set(node, world.nowMs);
      },
      podImported: (pod) => this.noteShortage(pod.state),
      nodeGone: (node) => {
        this.billCommitments(this.cost);
        this.bill(node);
        this.billedSince.delete(node);
        this.lifetimes.add((world.nowMs - node.createdMs) / 60_000);
      },
      launchFailed: () => {
        this.failed++;
      },
      pricesChanged: () => this.reprice(),
      podCreated: () => {
        this.created++;
      },
      podBound: (pod) => {
        if (pod.state.app.kind !== 'DaemonSet') this.pending.add((world.nowMs - pod.object.createdMs) / 1000);
      },
      appScaled: (state) => this.noteShortage(state),
      podReady: (pod) => this.noteShortage(pod.state),
      podStopping: (pod, cause) => {
        this.noteShortage(pod.state);
        if (isInvoluntary(cause) && pod.state.app.kind !== 'DaemonSet') this.noteEviction(pod, cause);
      },
    });
  }

  commandExecuted(command: ExecutedCommand): void {
    this.commands++;
    this.rollouts += command.rollouts ?? 0;
    this.predicted += command.predictedSavings;
    this.realised += command.realisedSavings;
  }

  private bill(node: SimNode): void {
    const sinceMs = this.billedSince.get(node) ?? this.world.nowMs;
    const passedMs = this.world.nowMs - sinceMs;
    count(this.cost, account(node), (node.price * passedMs) / HOUR_MS);
    this.nodeMs += passedMs;
    this.billedSince.set(node, this.world.nowMs);
  }

  /** What commitments make of the list prices of all nodes since the last change of these. */
  private billCommitments(cost: Map<string, number>): void {
    const { nowMs } = this.world;
    if (this.world.offerings.commitments.length === 0) return;
    const nodes = [...this.billedSince.keys()];
    const list = nodes.reduce((sum, { price }) => sum + price, 0);
    const hours = (nowMs - this.committedSinceMs) / HOUR_MS;
    count(cost, COMMITMENTS, (costOfNodes(this.world, nodes) - list) * hours);
    if (cost === this.cost) this.committedSinceMs = nowMs;
  }

  private reprice(): void {
    this.billCommitments(this.cost);
    for (const node of this.billedSince.keys()) {
      this.bill(node);
      node.price = this.world.offerings.priceOf(node.type.name, node.zone, node.capacityType);
    }
  }

  private noteEviction(pod: SimPod, cause: StopCause): void {
    const { app } = pod.state;
    this.evictions++;
    if (app.kind === 'Job' && pod.readyMs !== undefined) this.lostMs += this.world.nowMs - pod.readyMs;
    const reason: RemovalCause | StopCause = pod.node?.removal ?? cause;
    count(this.byCause, reason, 1);
    count(this.byWorkload, `${app.kind} ${app.namespace}/${app.name}`, 1);
    if (pod.predecessorEvictedMs !== undefined && this.world.nowMs - pod.predecessorEvictedMs <= AGAIN_MS)
      this.reevictions++;
  }

  /** Adds the shortage since the last change, and keeps the new one. */
  private noteShortage(state: AppState): void {
    if (state.app.kind === 'Job' || state.app.kind === 'DaemonSet') return;
    const { nowMs } = this.world;
    const known = this.shortSince.get(state);
    const pods = Math.max(0, state.desired - state.ready);
    if (known === undefined) {
      this.shortSince.set(state, { sinceMs: nowMs, pods });
      return;
    }
    this.unavailableMs += known.pods * (nowMs - known.sinceMs);
    known.sinceMs = nowMs;
    known.pods = pods;
  }

  /** The figures up to now; has no side effects. */
  summary(): LedgerSummary {
    const { nowMs } = this.world;
    const cost = new Map(this.cost);
    this.billCommitments(cost);
    let { nodeMs, unavailableMs } = this;
    for (const [node, sinceMs] of this.billedSince) {
      count(cost, account(node), (node.price * (nowMs - sinceMs)) / HOUR_MS);
      nodeMs += nowMs - sinceMs;
    }
    for (const { pods, sinceMs } of this.shortSince.values()) unavailableMs += pods * (nowMs - sinceMs);
    return {
      hours: (this.world.nowMs - this.startMs) / HOUR_MS,
      costDollars: sum(cost.values()),
      costByPool: sorted(cost),
      nodeHours: nodeMs / HOUR_MS,
      nodesLaunched: this.launched,
      launchesFailed: this.failed,
      podsCreated: this.created,
      evictions: this.evictions,
      evictionsByCause: sorted(this.byCause),
      evictionsByWorkload: sorted(this.byWorkload),
      lostPodHours: this.lostMs / HOUR_MS,
      reevictions: this.reevictions,
      nodeLifetimeP50Minutes: this.lifetimes.quantile(0.5),
      nodeLifetimeP95Minutes: this.lifetimes.quantile(0.95),
      pendingP50Seconds: this.pending.quantile(0.5),
      pendingP95Seconds: this.pending.quantile(0.95),
      unavailablePodSeconds: unavailableMs / 1000,
      commands: this.commands,
      rollouts: this.rollouts,
      predictedSavingsDollarsPerHour: this.predicted,
      realisedSavingsDollarsPerHour: this.realised,
    };
  }
}

function account(node: SimNode): string {
  return `${node.pool.name}/${node.capacityType}`;
}

function count(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
