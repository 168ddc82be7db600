import {
  addBit,
  type Bitset,
  bitset,
  hasBit,
  intersectInto,
  lowestBit,
  members,
  removeBit,
  summarize,
} from '../cluster/bitset.ts';
import { labelOf } from '../cluster/objects.ts';
import { PODS } from '../cluster/request-table.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { allowsAbsence } from '../selection/requirement.ts';
import { INCOMPATIBLE, RequirementSpace, type RequirementsId } from '../selection/requirement-space.ts';
import { AmountsBeyondRequests } from './amounts-beyond-requests.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import { freeForMoves } from './destinations.ts';
import { FirstFitCache, fitKeyOf } from './first-fit-cache.ts';
import { FittingNodesByRequest } from './fitting-nodes.ts';
import type { PodShape, PodStage } from './pod-shapes.ts';
import type { Topology, TopologyQuestion } from './topology.ts';
import type { TopologyDomains } from './topology-domains.ts';

export const NOWHERE = -1;

interface Usable {
  readonly nodes: Bitset;
  readonly summary: Bitset;
}

/** Finds free capacity on existing nodes, first fit in their order, and uses it. */
export class ExistingNodes {
  private readonly cluster: CompiledCluster;
  private readonly topology: Topology;
  private readonly hosts: TopologyDomains | undefined;
  private readonly usable: Usable[] = [];
  private readonly usableUnshielded: Usable[] = [];
  private readonly masks: Bitset[] = [];
  /** Rows with a free pod slot outside simulations. */
  private readonly withSlots: Bitset;
  /** Rows removed in this simulation. */
  private readonly removed: Bitset;
  /** Rows that exist but take no pods: a search intends to remove them. */
  private readonly excluded: Bitset;
  /** Removed or excluded. */
  readonly gone: Bitset;
  private readonly firstFit = new FirstFitCache();
  private readonly fittingNodes: FittingNodesByRequest;
  /** For pods that leave the reserve free. */
  private readonly fittingForMoves: FittingNodesByRequest;
  /**
   * Nodes with additional labels: Karpenter adds what a placed pod tolerates the absence of (NotIn, DoesNotExist) to
   * the node's labels, and later pods then find the key defined. Only in compat.
   */
  private readonly grown = new Map<number, RequirementsId>();
  private readonly beyondRequests = new AmountsBeyondRequests();
  private readonly absentKeys = new Map<RequirementsId, readonly string[]>();
  /** Whether a topology group exists yet in this run. */
  private readonly isActive: (group: number) => boolean;

  constructor(cluster: CompiledCluster, topology: Topology, isActive: (group: number) => boolean) {
    this.cluster = cluster;
    this.topology = topology;
    this.isActive = isActive;
    this.hosts = cluster.groups.keys.get(HOSTNAME);
    this.fittingNodes = new FittingNodesByRequest(cluster, cluster.freeIndex);
    this.fittingForMoves = new FittingNodesByRequest(cluster, cluster.moveIndex);
    this.removed = bitset(cluster.rows.length);
    this.gone = bitset(cluster.rows.length);
    this.excluded = bitset(cluster.rows.length);
    this.withSlots = bitset(cluster.rows.length);
    for (let row = 0; row < cluster.rows.length; row++) this.noteSlots(row);
  }

  /** Begins a run without these rows. */
  begin(rows: readonly number[]): void {
    this.firstFit.begin(rows.every((row) => hasBit(this.excluded, row)));
  }

  /** Capacity was returned that was missing when runs began. */
  capacityReturned(): void {
    this.firstFit.clear();
  }

  remove(row: number): void {
    addBit(this.removed, row);
    addBit(this.gone, row);
  }

  isGone(row: number): boolean {
    return hasBit(this.removed, row);
  }

  restore(rows: readonly number[]): void {
    for (const row of rows) {
      removeBit(this.removed, row);
      if (!hasBit(this.excluded, row)) removeBit(this.gone, row);
    }
    this.grown.clear();
  }

  /** Excludes the row as a destination, or includes it again. */
  exclude(row: number, excluded: boolean): void {
    if (excluded) {
      addBit(this.excluded, row);
      addBit(this.gone, row);
    } else {
      if (hasBit(this.excluded, row)) this.firstFit.clear();
      removeBit(this.excluded, row);
      if (!hasBit(this.removed, row)) removeBit(this.gone, row);
    }
  }

  /** Capacity changed permanently on the rows of these placements. */
  reindex(placements: readonly { readonly row: number }[], from: number): void {
    const { free, freeIndex, moveIndex } = this.cluster;
    for (let i = from; i < placements.length; i++) {
      const { row } = placements[i];
      for (let d = 0; d < free.length; d++) {
        freeIndex[d].update(row, free[d][row]);
        if (moveIndex !== freeIndex) moveIndex[d].update(row, freeForMoves(this.cluster, d, row));
      }
    }
  }

  /**
   * Nodes that the pod may use by labels, taints, volumes and shield, and that had a pod slot before the simulation.
   */
  candidates(stage: PodStage, mayUseShielded: boolean): Usable {
    const cache = mayUseShielded ? this.usable : this.usableUnshielded;
    let usable = cache[stage.nodeClass];
    if (usable === undefined) {
      const { nodeSets, destinations, unshielded } = this.cluster;
      const nodes = nodeSets.nodesFor(stage.nodeClass).slice();
      intersectInto(nodes, mayUseShielded ? destinations : unshielded);
      intersectInto(nodes, this.withSlots);
      usable = { nodes, summary: summarize(nodes) };
      cache[stage.nodeClass] = usable;
    }
    return usable;
  }

  /** Every pod takes a pod slot, and within a simulation slots only shrink. */
  private noteSlots(row: number): void {
    if (this.cluster.free[PODS][row] >= 1) addBit(this.withSlots, row);
  }

  /** The first node with capacity for the pod; NOWHERE if none. */
  find(pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion, mayUseShielded: boolean): number {
    if (!this.asksOnlyForResources(pod, shape, stage, q)) return this.search(pod, shape, stage, q, mayUseShielded);
    const { requestOfPod, requests } = this.cluster;
    const request = requestOfPod[pod];
    const key = fitKeyOf(this.cluster, request, stage, mayUseShielded);
    const before = this.firstFit.recall(key);
    if (before === NOWHERE) return before;
    if (before >= 0 && this.fits(before, requests.amounts(request), mayUseShielded)) return before;
    const row = this.search(pod, shape, stage, q, mayUseShielded);
    this.firstFit.learn(key, row);
    return row;
  }

  private search(pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion, mayUseShielded: boolean): number {
    const { cluster, masks } = this;
    const request = cluster.requestOfPod[pod];
    const amounts = cluster.requests.amounts(request);
    const { nodes, summary } = this.candidates(stage, mayUseShielded);
    if (cluster.settings.compat && this.readsLabelsLoosely(stage, q))
      return this.findLoosely(pod, shape, stage, q, amounts, nodes);
    const fitting = mayUseShielded ? this.fittingNodes : this.fittingForMoves;
    const { cpu, memory, cpuSummary, memorySummary, others } = fitting.of(request);
    masks.length = 0;
    if (!this.addDomainMasks(q.byDomain, q) || !this.addDomainMasks(q.membership.repelledByDomain, q))
      return this.findGrown(pod, shape, stage, q, amounts, mayUseShielded, NOWHERE);
    const { gone, grown } = this;
    let found = NOWHERE;
    scan: for (let s = 0; s < summary.length; s++) {
      for (let busy = summary[s] & cpuSummary[s] & memorySummary[s]; busy !== 0; busy &= busy - 1) {
        const w = (s << 5) + lowestBit(busy);
        let word = nodes[w] & cpu[w] & memory[w] & ~gone[w];
        for (let m = 0; m < others.length && word !== 0; m++) word &= others[m][w];
        for (let m = 0; m < masks.length && word !== 0; m++) word &= masks[m][w];
        for (; word !== 0; word &= word - 1) {
          const row = (w << 5) + lowestBit(word);
          if (grown.size > 0 && grown.has(row)) continue;
          if (this.fits(row, amounts, mayUseShielded) && this.admits(row, pod, shape, q)) {
            found = row;
            break scan;
          }
        }
      }
    }
    return grown.size > 0 ? this.findGrown(pod, shape, stage, q, amounts, mayUseShielded, found) : found;
  }

  /** Labels that Karpenter adds to nodes matter for pods that require labels. */
  private asksOnlyForResources(pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    const { settings, volumesOfPod } = this.cluster;
    const { repelledByHost, repelledByDomain } = q.membership;
    if (q.byDomain.length + q.byHost.length + repelledByHost.length + repelledByDomain.length > 0) return false;
    if (shape.hostPorts.length + shape.volumes.length > 0 || (volumesOfPod.size > 0 && volumesOfPod.has(pod)))
      return false;
    return !settings.compat || (stage.requirements === RequirementSpace.unrestricted && this.grown.size === 0);
  }

  /** Whether this node takes the pod. */
  takes(
    row: number,
    pod: number,
    shape: PodShape,
    stage: PodStage,
    q: TopologyQuestion,
    mayUseShielded: boolean,
  ): boolean {
    const { cluster, masks } = this;
    if (hasBit(this.removed, row) || !hasBit(this.candidates(stage, mayUseShielded).nodes, row)) return false;
    if (!this.fits(row, cluster.requests.amounts(cluster.requestOfPod[pod]), mayUseShielded)) return false;
    masks.length = 0;
    if (!this.addDomainMasks(q.byDomain, q) || !this.addDomainMasks(q.membership.repelledByDomain, q)) return false;
    return masks.every((mask) => hasBit(mask, row)) && this.admits(row, pod, shape, q);
  }

  /** Adds a mask per group that excludes nodes by their domain; false if one excludes all. */
  private addDomainMasks(groups: readonly number[], q: TopologyQuestion): boolean {
    for (const g of this.topology.distinct(groups)) {
      const rows = this.topology.admittedRows(g, q);
      if (rows === 'none') return false;
      if (rows !== 'all') this.masks.push(rows);
    }
    return true;
  }

  private fits(row: number, amounts: Float64Array, mayUseReserve: boolean): boolean {
    const { free } = this.cluster;
    for (let d = 0; d < amounts.length; d++) if (amounts[d] > free[d][row]) return false;
    return mayUseReserve || this.cluster.reserve === undefined || this.leavesReserve(row, amounts);
  }

  private leavesReserve(row: number, amounts: Float64Array): boolean {
    for (let d = 0; d < amounts.length; d++) if (amounts[d] > freeForMoves(this.cluster, d, row)) return false;
    return true;
  }

  /** Checks of a single node: hosts as domains, host ports, volume limits. */
  private admits(row: number, pod: number, shape: PodShape, q: TopologyQuestion): boolean {
    const { cluster } = this;
    if (this.hosts !== undefined && !this.topology.hostAdmits(q, this.hosts.ofRow[row])) return false;
    if (shape.hostPorts.length > 0 && cluster.ports.clash(row, shape.hostPorts)) return false;
    const volumes = cluster.volumesOfPod.get(pod);
    return volumes === undefined || !cluster.volumeLimits.exceeds(row, volumes);
  }

  /** `usesReserve`: the pod had no place, and may use capacity kept free for such pods. */
  place(row: number, pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion, usesReserve: boolean): void {
    const { cluster } = this;
    this.firstFit.touch();
    if (cluster.settings.compat) this.grow(row, shape, stage, q);
    const amounts = cluster.requests.amounts(cluster.requestOfPod[pod]);
    for (let d = 0; d < amounts.length; d++) cluster.free[d][row] -= amounts[d];
    if (shape.firstAvailable !== undefined) this.beyondRequests.take(cluster, row, amounts, shape.firstAvailable);
    if (usesReserve) this.useReserve(row, amounts, 1);
    cluster.ports.take(row, shape.hostPorts);
    const volumes = cluster.volumesOfPod.get(pod);
    if (volumes !== undefined) cluster.volumeLimits.attach(row, volumes, 1);
    this.record(row, pod, shape);
  }

  /** Undoes the last placement: capacity, ports and volumes; counts have their own rollback. */
  unplace(row: number, pod: number, shape: PodShape, usesReserve: boolean): void {
    const { cluster } = this;
    const amounts = cluster.requests.amounts(cluster.requestOfPod[pod]);
    for (let d = 0; d < amounts.length; d++) cluster.free[d][row] += amounts[d];
    if (shape.firstAvailable !== undefined) this.beyondRequests.giveBack(cluster, row, shape.firstAvailable);
    if (usesReserve) this.useReserve(row, amounts, -1);
    cluster.ports.release(row, shape.hostPorts);
    const volumes = cluster.volumesOfPod.get(pod);
    if (volumes !== undefined) cluster.volumeLimits.attach(row, volumes, -1);
  }

  private useReserve(row: number, amounts: Float64Array, sign: 1 | -1): void {
    const { reserve } = this.cluster;
    if (reserve === undefined) return;
    for (let d = 0; d < amounts.length; d++) reserve[d][row] -= sign * amounts[d];
  }

  private record(row: number, pod: number, shape: PodShape): void {
    const { counts } = this.topology;
    for (const g of this.cluster.membershipOfPod[pod].counted) {
      const domain = this.domainOf(g, row);
      if (domain >= 0 && this.isActive(g) && counts.counts(g, row)) counts.add(g, domain, 1);
    }
    for (const g of shape.repels) {
      const domain = this.domainOf(g, row);
      if (domain >= 0) counts.add(g, domain, 1);
    }
  }

  private domainOf(group: number, row: number): number {
    const { domains } = this.topology.counts.groups[group];
    const domain = domains.ofRow[row];
    const grown = domain < 0 ? this.grown.get(row) : undefined;
    if (grown === undefined) return domain;
    const r = this.cluster.space.require(grown, domains.key);
    if (r === undefined || r.complement || r.values.size !== 1) return -1;
    return domains.find([...r.values][0]) ?? -1;
  }

  // Nodes as Karpenter's requirements instead of labels: only in compat, and rare.

  /**
   * Nodes without a group's label that Karpenter accepts anyway: because the pod accepts the label's absence, or
   * because two groups have no value in common and so require none.
   */
  private readsLabelsLoosely(stage: PodStage, q: TopologyQuestion): boolean {
    const absent = this.keysAllowedAbsent(stage.requirements);
    const groups = q.byDomain.length + q.membership.repelledByDomain.length;
    if (groups === 0 || (absent.length === 0 && groups === 1)) return false;
    const seen = new Set<string>();
    for (const g of [...q.byDomain, ...q.membership.repelledByDomain]) {
      const { domains } = this.topology.counts.groups[g];
      if (this.topology.everyRowHasDomain(domains)) continue;
      if (absent.includes(domains.key) || seen.has(domains.key)) return true;
      seen.add(domains.key);
    }
    return false;
  }

  private keysAllowedAbsent(id: RequirementsId): readonly string[] {
    let keys = this.absentKeys.get(id);
    if (keys === undefined) {
      keys = [...this.cluster.space.get(id).values()].filter(allowsAbsence).map((r) => r.key);
      this.absentKeys.set(id, keys);
    }
    return keys;
  }

  private findLoosely(
    pod: number,
    shape: PodShape,
    stage: PodStage,
    q: TopologyQuestion,
    amounts: Float64Array,
    nodes: Bitset,
  ): number {
    for (const row of members(nodes)) if (this.takesLoosely(row, pod, shape, stage, q, amounts)) return row;
    return NOWHERE;
  }

  /** The first of the nodes with added labels before `limit` that takes the pod, else `limit`. */
  private findGrown(
    pod: number,
    shape: PodShape,
    stage: PodStage,
    q: TopologyQuestion,
    amounts: Float64Array,
    mayUseShielded: boolean,
    limit: number,
  ): number {
    let best = limit;
    const { shapes, nodeSets, shielded } = this.cluster;
    const tolerations = shapes.nodeClasses[stage.nodeClass];
    for (const row of this.grown.keys()) {
      if ((best !== NOWHERE && row > best) || (!mayUseShielded && hasBit(shielded, row))) continue;
      if (nodeSets.tolerated(row, tolerations) && this.takesLoosely(row, pod, shape, stage, q, amounts)) best = row;
    }
    return best;
  }

  private takesLoosely(
    row: number,
    pod: number,
    shape: PodShape,
    stage: PodStage,
    q: TopologyQuestion,
    amounts: Float64Array,
  ): boolean {
    if (hasBit(this.gone, row) || !this.fits(row, amounts, true) || !this.admits(row, pod, shape, q)) return false;
    return this.narrowed(row, shape, stage, q) !== INCOMPATIBLE;
  }

  private requirementsOf(row: number): RequirementsId {
    return this.grown.get(row) ?? this.cluster.space.intern(this.cluster.nodeSets.labelsOf(row));
  }

  private narrowed(row: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): RequirementsId {
    const { space } = this.cluster;
    const base = space.narrowExisting(this.requirementsOf(row), stage.requirements);
    if (base === INCOMPATIBLE) return INCOMPATIBLE;
    for (const place of shape.volumes.length === 0 ? [0] : shape.volumes) {
      const here = space.narrowExisting(base, place);
      if (here === INCOMPATIBLE) continue;
      const narrowed = this.topology.narrow(q, here, true);
      if (narrowed !== INCOMPATIBLE) return narrowed;
    }
    return INCOMPATIBLE;
  }

  private grow(row: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): void {
    const keys = this.keysAllowedAbsent(stage.requirements);
    const lacks = (key: string) => labelOf(this.cluster.rows[row].selectable, key) === undefined;
    const grows = this.grown.has(row) || keys.some(lacks) || this.readsLabelsLoosely(stage, q);
    const narrowed = grows ? this.narrowed(row, shape, stage, q) : INCOMPATIBLE;
    if (narrowed !== INCOMPATIBLE) this.grown.set(row, narrowed);
  }
}
