import { SimulatedSpend } from '../cost/simulated-spend.ts';
import { releaseOf } from '../karpenter-release.ts';
import type { Claim } from './claim.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import { ExistingNodes, NOWHERE } from './existing-nodes.ts';
import type { Layer, PlacedPod } from './layer.ts';
import { NewNodes } from './new-nodes.ts';
import type { OutcomeGate } from './outcome-gate.ts';
import { plannedRows } from './planned-rows.ts';
import type { PodShape, PodStage } from './pod-shapes.ts';
import { ProvablyUnplaceable } from './provably-unplaceable.ts';
import { inQueueOrder } from './queue-order.ts';
import { RowQueues } from './row-queues.ts';
import { Topology, type TopologyQuestion } from './topology.ts';

/** Where the pods of the removed nodes would go. Valid until the next run. */
export interface Outcome {
  /** Pods placed on existing nodes, in order. */
  readonly placements: readonly { readonly pod: number; readonly row: number }[];
  /** Nodes to launch, with their pods. */
  readonly claims: readonly Claim[];
  /** Claims of earlier layers that pods may join, and the pods that did, by the claim's index there. */
  readonly onto: readonly Claim[];
  readonly joined: readonly { readonly pod: number; readonly claim: number }[];
  /** Pods without a place, including pending ones. */
  readonly unplaced: readonly number[];
  /** Pods that would need a node that is not initialized yet. */
  readonly onUninitialized: readonly number[];
  /** For each pod tried, in queue order: the row that took it at once, or NOT_AT_ONCE. */
  readonly trace: readonly number[];
  /** The simulation stopped early: the answer is "no", with incomplete reasons. */
  readonly cutShort: boolean;
}

export interface SimulationSettings {
  /** Stop as soon as more claims than this are open, or a running pod can have no place. Infinity: never. */
  readonly maxClaims: number;
  /** Where to try pods first: a row, or -1, -2 … for new nodes, equal numbers on the same one. */
  readonly hints?: ReadonlyMap<number, number>;
  /** Claims of an earlier layer: their nodes run by the time these pods move, and are tried first. */
  readonly onto?: readonly Claim[];
  /** Which of those to try first, by pod. */
  readonly assigned?: ReadonlyMap<number, number>;
  /** Of several possible domains, put a new node where its pods run now instead of where there are fewest. */
  readonly stay?: boolean;
  /** Dollars per hour that no new node may reach: pods that do not fit on a cheaper one are split. */
  readonly maxPrice?: number;
  /** As long as another new node may be launched, none is on-demand for the sake of a few of its pods. */
  readonly apart?: boolean;
  /** Place pods on the new node with the fewest pods, or on the first that fits; default: as constructed. */
  readonly even?: boolean;
  /** The pods lose their place in any case, as on nodes being deleted. */
  readonly areLeaving?: boolean;
}

/** A pod went to a new node, or was retried: every node was checked. */
export const NOT_AT_ONCE = 2 ** 30;

const TO_THE_END: SimulationSettings = { maxClaims: Infinity };

/**
 * Karpenter's scheduling simulation on a compiled cluster. Each run removes some nodes, places their pods (and all
 * pending ones) and then undoes everything, so that runs are independent. A search over many moves keeps its choices as
 * layers, undone last first.
 */
export class Simulation {
  readonly cluster: CompiledCluster;
  readonly topology: Topology;
  readonly existing: ExistingNodes;
  readonly fresh: NewNodes;
  private readonly placements: PlacedPod[] = [];
  private readonly layers: Layer[] = [];
  /** Pods that every run places are already placed, in the lowest layer. */
  private alwaysPlaced = false;
  /** By group: the last run in which it existed. Karpenter creates groups when a pod first needs them. */
  private readonly activeIn: Int32Array;
  private run = 0;
  private stay = false;
  private areLeaving = false;
  private onto: readonly Claim[] | undefined;
  private assigned: ReadonlyMap<number, number> | undefined;
  private joined: { readonly pod: number; readonly claim: number }[] = [];
  private readonly queues: RowQueues;
  private readonly always: readonly number[];
  private readonly provablyUnplaceable: ProvablyUnplaceable;
  /** A pod with a missing volume has no place, not even on a new node. */
  private readonly missingVolumesFail: boolean;
  private readonly leaving: ReadonlySet<number>;
  private readonly pending: ReadonlySet<number>;
  /** Where pods of nodes that leave are planned to go, by pod. */
  readonly plannedRows: ReadonlyMap<number, number>;
  private readonly even: boolean;
  readonly gate: OutcomeGate | undefined;
  readonly spend: SimulatedSpend;

  /** `even`: place pods on the new node with the fewest pods, as in Karpenter, or on the first that fits. */
  constructor(
    cluster: CompiledCluster,
    { even = true, gate }: { readonly even?: boolean; readonly gate?: OutcomeGate | undefined } = {},
  ) {
    this.cluster = cluster;
    this.gate = gate;
    this.even = even;
    this.topology = new Topology(cluster.counts, cluster.space);
    this.activeIn = new Int32Array(cluster.groups.list.length);
    // Karpenter creates a group when a pod first needs it, which then does not know earlier placements.
    const isActive = (group: number) => !cluster.settings.compat || this.activeIn[group] === this.run;
    this.existing = new ExistingNodes(cluster, this.topology, isActive);
    this.fresh = new NewNodes(cluster, this.topology, isActive);
    this.provablyUnplaceable = new ProvablyUnplaceable(cluster);
    this.queues = new RowQueues(cluster);
    this.always = inQueueOrder(cluster, [...cluster.pending, ...cluster.leaving]);
    this.missingVolumesFail = releaseOf(cluster.settings).volumeLimits;
    this.leaving = new Set(cluster.leaving);
    this.pending = new Set(cluster.pending);
    this.plannedRows = plannedRows(cluster);
    this.spend = new SimulatedSpend(cluster);
  }

  /** Pods of a row in placement order. */
  queueOf(row: number): readonly number[] {
    return this.queues.of(row);
  }

  /** Calls `use` with the outcome of removing these rows, then undoes everything. */
  removing<T>(rows: readonly number[], use: (outcome: Outcome) => T, settings: SimulationSettings = TO_THE_END): T {
    const placementsBefore = this.placements.length;
    const countsBefore = this.takeOut(rows);
    const queue = this.podsToPlace(rows);
    this.takeOutOfCounts(rows);
    this.activateGroups(queue);
    try {
      return use(this.solve(queue, settings));
    } finally {
      this.takeBack(this.layerOf(rows, placementsBefore, countsBefore));
    }
  }

  /**
   * As `removing`, but if `use` returns a value, the outcome stays for all later runs: the rows are gone, their pods
   * are placed, and the claims are open.
   */
  keeping<T>(
    rows: readonly number[],
    use: (outcome: Outcome) => T | undefined,
    settings: SimulationSettings = TO_THE_END,
  ): T | undefined {
    const placementsBefore = this.placements.length;
    const countsBefore = this.takeOut(rows);
    const queue = this.podsToPlace(rows);
    this.takeOutOfCounts(rows);
    this.activateGroups(queue);
    const kept = use(this.solve(queue, settings));
    const layer = this.layerOf(rows, placementsBefore, countsBefore);
    if (kept === undefined) {
      this.takeBack(layer);
      return undefined;
    }
    this.layers.push(layer);
    this.spend.remove(rows);
    this.existing.reindex(this.placements, placementsBefore);
    return kept;
  }

  /** Places the pods that every run would place, once for all later runs; returns placements on existing nodes. */
  keepPending(): Outcome['placements'] {
    const placed = this.keeping([], ({ placements }) => [...placements]);
    this.alwaysPlaced = true;
    return placed ?? [];
  }

  private layerOf(rows: readonly number[], placementsBefore: number, countsBefore: number): Layer {
    const [claims, joined] = [this.fresh.seal(), this.fresh.sealJoined()];
    return { rows, placementsBefore, countsBefore, spendBefore: this.spend.now, claims, joined };
  }

  /** The claims of the layer that removed this row. */
  launchedFor(row: number): readonly Claim[] {
    return this.layers.find(({ rows }) => rows.includes(row))?.claims ?? [];
  }

  /** Nodes to launch, of all layers and the current run. */
  launching(): readonly Claim[] {
    return [...this.layers.flatMap(({ claims }) => claims), ...this.fresh.claims];
  }

  /** Pods on existing nodes, as placed by all layers and the current run. */
  get placed(): readonly { readonly pod: number; readonly row: number }[] {
    return this.placements;
  }

  /** Number of layers. */
  get depth(): number {
    return this.layers.length;
  }

  /** Undoes layers, last first, until this many are left. */
  undoTo(depth: number): void {
    while (this.layers.length > depth) {
      const layer = this.layers.pop() as Layer;
      const changed = this.placements.slice(layer.placementsBefore);
      this.takeBack(layer);
      this.existing.reindex(changed, 0);
      this.existing.capacityReturned();
    }
    if (depth === 0) this.alwaysPlaced = false;
  }

  private takeOut(rows: readonly number[]): number {
    const { cluster } = this;
    const mark = cluster.counts.mark();
    this.run++;
    this.existing.begin(rows);
    for (const row of rows) {
      this.existing.remove(row);
      cluster.counts.register(row, -1);
      cluster.limits.charge(cluster.rows[row], -1);
    }
    return mark;
  }

  private takeBack({ rows, placementsBefore, countsBefore, spendBefore, claims, joined }: Layer): void {
    const { cluster } = this;
    this.spend.now = spendBefore;
    for (let i = this.placements.length - 1; i >= placementsBefore; i--) {
      const { row, pod, shape, usesReserve } = this.placements[i];
      this.existing.unplace(row, pod, shape, usesReserve);
    }
    this.placements.length = placementsBefore;
    this.fresh.close(claims);
    this.fresh.leave(joined);
    this.existing.restore(rows);
    cluster.counts.rollback(countsBefore);
    for (const row of rows) {
      cluster.counts.register(row, 1);
      cluster.limits.charge(cluster.rows[row], 1);
    }
  }

  private podsToPlace(rows: readonly number[]): readonly number[] {
    return this.queues.joined(this.alwaysPlaced ? NO_GROUPS : this.always, rows);
  }

  /** Pods that are placed again do not count where they run now. */
  private takeOutOfCounts(rows: readonly number[]): void {
    const { counts, groups } = this.cluster;
    if (groups.list.length === 0) return;
    for (const row of rows) {
      const counted = this.queues.countedOf(row);
      for (let i = 0; i < counted.length; i += 2) counts.add(counted[i], counted[i + 1], -1);
    }
  }

  private activateGroups(queue: readonly number[]): void {
    if (this.activeIn.length === 0 || !this.cluster.settings.compat) return;
    for (const pod of queue) {
      const shape = this.shapeOf(pod);
      if (!shape.forgetsTopology) this.activate(shape.stages[0]);
    }
  }

  /** Only Karpenter creates groups on demand. */
  private activate(stage: PodStage): void {
    if (!this.cluster.settings.compat) return;
    for (const g of stage.byHost) this.activeIn[g] = this.run;
    for (const g of stage.byDomain) this.activeIn[g] = this.run;
  }

  private shapeOf(pod: number): PodShape {
    return this.cluster.shapeOfPod[pod] as PodShape;
  }

  /** Pods in order; one that fails goes to the back and is retried as long as others find places. */
  private solve(pods: readonly number[], settings: SimulationSettings): Outcome {
    const again: number[] = [];
    const failed = new Set<number>();
    const trace: number[] = [];
    const first = this.placements.length;
    this.fresh.begin({
      even: settings.even ?? this.even,
      maxPrice: settings.maxPrice ?? Infinity,
      apart: settings.apart === true ? settings.maxClaims : 0,
    });
    this.stay = settings.stay === true;
    this.areLeaving = settings.areLeaving === true;
    this.onto = settings.onto;
    this.assigned = settings.assigned;
    this.joined = [];
    const { joined } = this;
    const cut = (cutShort: boolean): Outcome => ({
      trace,
      onto: settings.onto ?? NO_CLAIMS,
      joined,
      placements: first === 0 ? this.placements : this.placements.slice(first),
      claims: this.fresh.claims,
      unplaced: [...failed],
      onUninitialized: this.relyingOnUninitialized(first),
      cutShort,
    });
    const attempt = (pod: number, retry: boolean): 'placed' | 'failed' | 'stop' => {
      const before = this.placements.length;
      const placed = this.place(pod, retry, settings.hints?.get(pod) ?? this.plannedRows.get(pod));
      if (!retry) trace.push(this.placements.length > before ? this.placements[before].row : NOT_AT_ONCE);
      if (placed) {
        failed.delete(pod);
        return this.fresh.claims.length > settings.maxClaims ? 'stop' : 'placed';
      }
      failed.add(pod);
      const final =
        settings.maxClaims !== Infinity && !this.pending.has(pod) && this.provablyUnplaceable.has(this.shapeOf(pod));
      return final ? 'stop' : 'failed';
    };
    for (const pod of pods) {
      const result = attempt(pod, false);
      if (result === 'stop') return cut(true);
      if (result === 'failed') again.push(pod);
    }
    if (again.length === 0) return cut(false);
    // Every round either places a pod or makes no progress: a pod that sees the queue as long as when it was pushed
    // back ends it.
    const lengthWhenPushed = new Map<number, number>();
    again.forEach((pod, i) => {
      lengthWhenPushed.set(pod, i + 1 + pods.length - 1 - pods.indexOf(pod));
    });
    for (let head = 0; head < again.length; ) {
      const pod = again[head];
      if (lengthWhenPushed.get(pod) === again.length - head) break;
      head++;
      const result = attempt(pod, true);
      if (result === 'stop') return cut(true);
      if (result === 'placed') continue;
      again.push(pod);
      lengthWhenPushed.set(pod, again.length - head);
    }
    return cut(false);
  }

  /** Tries the pod's stages in order until one finds a place. */
  private place(pod: number, again: boolean, hint: number | undefined): boolean {
    const shape = this.shapeOf(pod);
    if (shape.resourceClaims || (shape.noExistingNode && this.missingVolumesFail)) return false;
    const { membershipOfPod } = this.cluster;
    const mayUseShielded = this.areLeaving || this.mayUseShielded(pod);
    const home = this.stay ? this.cluster.rowOfPod[pod] : NOWHERE;
    for (let s = 0; s < shape.stages.length; s++) {
      const stage = shape.stages[s];
      const forgets = shape.forgetsTopology && s === 0 && !again;
      if (!forgets) this.activate(stage);
      const q: TopologyQuestion = {
        byHost: forgets ? NO_GROUPS : stage.byHost,
        byDomain: forgets ? NO_GROUPS : stage.byDomain,
        strict: stage.strict,
        membership: membershipOfPod[pod],
        home,
      };
      if (!shape.noExistingNode && !(hint !== undefined && hint < 0)) {
        const known = hint !== undefined && this.existing.takes(hint, pod, shape, stage, q, mayUseShielded);
        if (!known && this.join(pod, shape, stage, q)) return true;
        const found = known ? hint : this.existing.find(pod, shape, stage, q, mayUseShielded);
        if (found !== NOWHERE) {
          this.existing.place(found, pod, shape, stage, q, mayUseShielded);
          this.placements.push({ pod, row: found, shape, usesReserve: mayUseShielded });
          return true;
        }
      }
      if (hint !== undefined && hint < 0 && this.fresh.addToHinted(hint, pod, shape, stage, q)) return true;
      if (this.fresh.addToOpen(pod, shape, stage, q) || this.fresh.open(pod, shape, stage, q)) return true;
      // There may be no offering in the home domain.
      if (home !== NOWHERE && this.fresh.open(pod, shape, stage, { ...q, home: NOWHERE })) return true;
    }
    return false;
  }

  private join(pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    const claim =
      this.onto === undefined ? -1 : this.fresh.join(this.onto, this.assigned?.get(pod), pod, shape, stage, q);
    if (claim >= 0) this.joined.push({ pod, claim });
    return claim >= 0;
  }

  /** Pods without a place may use nodes that the shield keeps from moved pods. */
  mayUseShielded(pod: number): boolean {
    return this.leaving.has(pod) || this.cluster.pods[pod].phase === 'Pending';
  }

  private relyingOnUninitialized(first: number): readonly number[] {
    const { rows } = this.cluster;
    let out: number[] | undefined;
    for (let i = first; i < this.placements.length; i++) {
      const { pod, row } = this.placements[i];
      if (rows[row].initialized || this.leaving.has(pod)) continue;
      out ??= [];
      out.push(pod);
    }
    return out ?? NO_GROUPS;
  }
}

const NO_GROUPS: readonly number[] = [];
const NO_CLAIMS: readonly Claim[] = [];
