import {
  type Bitset,
  bitset,
  copyInto,
  intersectInto,
  isEmptyBitset,
  members,
  removeBit,
  uniteInto,
} from '../cluster/bitset.ts';
import { CAPACITY_TYPE, HOSTNAME, SPOT } from '../cluster/well-known.ts';
import { releaseOf } from '../karpenter-release.ts';
import { admits, type Requirement } from '../selection/requirement.ts';
import { INCOMPATIBLE, type RequirementsId } from '../selection/requirement-space.ts';
import { toleratesAll } from '../selection/taints.ts';
import { type Claim, type ClaimState, type Extension, NO_RESERVATIONS, newClaim, restore, stateOf } from './claim.ts';
import type { CompiledCluster } from './compiled-cluster.ts';
import { passesClaim } from './node-filter.ts';
import type { PodShape, PodStage } from './pod-shapes.ts';
import { Reservations } from './reservations.ts';
import { meetsMinValues } from './templates.ts';
import type { Topology, TopologyQuestion } from './topology.ts';

/** How new nodes of one run are opened and filled. */
export interface LaunchRules {
  /** Place pods on the claim with the fewest pods, as in Karpenter; otherwise on the first that fits. */
  readonly even: boolean;
  /** Dollars per hour: types at or above this price are not launched. */
  readonly maxPrice: number;
  /** Pods that need on-demand nodes and pods that do not share a claim only if as many as this are open. 0: always. */
  readonly apart: number;
}

/** Opens claims for pods that fit on no existing node, and fills them. */
export class NewNodes {
  /** Fewest pods first, at each placement. */
  readonly claims: Claim[] = [];
  private readonly cluster: CompiledCluster;
  private readonly topology: Topology;
  private readonly reservations: Reservations;
  private readonly firstHost: number;
  private readonly bestEffort: boolean;
  private readonly tolerated = new Map<number, boolean>();
  private readonly counted = new Map<number, boolean>();
  private readonly scratch: Bitset;
  private readonly groupScratch: Bitset;
  private opened = 0;
  /** Claims of this run by their number in hints. */
  private readonly hinted = new Map<number, Claim>();
  /** Claims of earlier runs that pods of this run joined, as they were before. */
  private readonly joined = new Map<Claim, ClaimState>();
  /** A pod was kept off an open claim in this run. */
  keptApart = false;
  private rules: LaunchRules = { even: true, maxPrice: Infinity, apart: 0 };
  private readonly isActive: (group: number) => boolean;

  /** `isActive`: whether a topology group exists yet in this run. */
  constructor(cluster: CompiledCluster, topology: Topology, isActive: (group: number) => boolean) {
    this.cluster = cluster;
    this.isActive = isActive;
    this.topology = topology;
    this.reservations = new Reservations(cluster.types, cluster.space, {
      enabled: cluster.objects.options.reservedCapacity,
      ...releaseOf(cluster.settings),
    });
    this.firstHost = cluster.groups.keys.get(HOSTNAME)?.size ?? 0;
    this.scratch = bitset(cluster.types.count);
    this.groupScratch = bitset(cluster.types.count);
    this.bestEffort = cluster.objects.options.minValues === 'BestEffort';
  }

  begin(rules: LaunchRules): void {
    this.rules = rules;
    this.keptApart = false;
  }

  /** Places the pod on the claim of this number, opening it if necessary; false if impossible. */
  addToHinted(number: number, pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    const claim = this.hinted.get(number);
    if (claim !== undefined) return this.add(claim, pod, shape, stage, q);
    if (!this.open(pod, shape, stage, q)) return false;
    this.hinted.set(number, this.claims[this.claims.length - 1]);
    return true;
  }

  /** Places the pod on an open claim. */
  addToOpen(pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    if (this.rules.even && this.claims.length > 1) this.claims.sort((a, b) => a.pods.length - b.pods.length);
    const others: Claim[] = [];
    for (const claim of this.claims) {
      if (this.rules.apart > 0 && this.mayBeSpot(claim.requirements) !== this.wouldBeSpot(claim, stage))
        others.push(claim);
      else if (this.add(claim, pod, shape, stage, q)) return true;
    }
    if (others.length > 0) this.keptApart = true;
    if (this.claims.length < this.rules.apart) return false;
    return others.some((claim) => this.add(claim, pod, shape, stage, q));
  }

  private mayBeSpot(requirements: RequirementsId): boolean {
    const allowed = requirements === INCOMPATIBLE ? undefined : this.cluster.space.require(requirements, CAPACITY_TYPE);
    return allowed === undefined || admits(allowed, SPOT);
  }

  /** Whether a claim of its pool for the pod alone might be spot. */
  private wouldBeSpot({ template }: Claim, { requirements }: PodStage): boolean {
    const { space, templates } = this.cluster;
    return this.mayBeSpot(space.narrow(templates[template].opening, requirements));
  }

  private add(claim: Claim, pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    const extension = this.extend(claim, pod, shape, stage, q, false);
    if (extension === undefined) return false;
    this.commit(claim, pod, shape, extension);
    return true;
  }

  /**
   * Places the pod on one of these claims of an earlier run: on the one at `assigned` if it fits, else on the first
   * that fits. Returns its index, or -1.
   */
  join(
    claims: readonly Claim[],
    assigned: number | undefined,
    pod: number,
    shape: PodShape,
    stage: PodStage,
    q: TopologyQuestion,
  ): number {
    if (assigned !== undefined && this.joinOne(claims[assigned], pod, shape, stage, q)) return assigned;
    return claims.findIndex((claim) => this.joinOne(claim, pod, shape, stage, q));
  }

  private joinOne(claim: Claim, pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    const extension = this.extend(claim, pod, shape, stage, q, false);
    if (extension === undefined) return false;
    if (!this.joined.has(claim)) this.joined.set(claim, stateOf(claim));
    this.commit(claim, pod, shape, extension);
    return true;
  }

  /** Opens a claim of the first pool that can launch something for the pod. */
  open(pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    const { templates, limits, requests } = this.cluster;
    for (let t = 0; t < templates.length; t++) {
      if (!this.tolerates(t, stage)) continue;
      const within = limits.launchable(t, templates[t].types);
      const types = within === undefined ? undefined : this.cheapEnough(t, within);
      if (types === undefined) continue;
      const claim = newClaim(t, this.firstHost + this.opened, templates[t].opening, types, requests.dimensions.size);
      const extension = this.extend(claim, pod, shape, stage, q, this.bestEffort);
      if (extension === undefined) continue;
      this.opened++;
      this.commit(claim, pod, shape, extension);
      claim.charged = limits.open(t, claim.types);
      this.claims.push(claim);
      return true;
    }
    return false;
  }

  private cheapEnough(template: number, types: Bitset): Bitset | undefined {
    const { maxPrice } = this.rules;
    if (maxPrice === Infinity) return types;
    const below = this.cluster.types.launchLists.cheaperThan(this.cluster.templates[template].requirements, maxPrice);
    const kept = types.slice();
    intersectInto(kept, below);
    return isEmptyBitset(kept) ? undefined : kept;
  }

  couldHold(claim: Claim, pod: number, shape: PodShape, stage: PodStage, q: TopologyQuestion): boolean {
    return this.extend(claim, pod, shape, stage, q, this.bestEffort) !== undefined;
  }

  /** The claim with the pod on it; undefined if it does not fit. */
  private extend(
    claim: Claim,
    pod: number,
    shape: PodShape,
    stage: PodStage,
    q: TopologyQuestion,
    relaxMinValues: boolean,
  ): Extension | undefined {
    const { space } = this.cluster;
    if (!this.tolerates(claim.template, stage)) return undefined;
    const base = space.narrow(claim.requirements, stage.requirements);
    if (base === INCOMPATIBLE) return undefined;
    if (!this.topology.hostAdmits(q, claim.host)) return undefined;
    for (const place of shape.volumes.length === 0 ? ANYWHERE : shape.volumes) {
      const here = space.narrow(base, place);
      if (here === INCOMPATIBLE) continue;
      const narrowed = this.topology.narrow(q, here, false);
      if (narrowed === INCOMPATIBLE) continue;
      const extension = this.withTypes(claim, pod, shape, narrowed, relaxMinValues);
      if (extension !== undefined) return extension;
    }
    return undefined;
  }

  private withTypes(
    claim: Claim,
    pod: number,
    shape: PodShape,
    requirements: RequirementsId,
    relaxMinValues: boolean,
  ): Extension | undefined {
    const { cluster, scratch: types } = this;
    this.typesThatFit(claim, pod, shape, types);
    const launchable = cluster.types.launchable(requirements);
    let any = 0;
    for (let w = 0; w < types.length; w++) any |= types[w] &= claim.types[w] & launchable[w];
    if (any === 0 || !this.canAttach(claim, pod, types)) return undefined;
    let narrowed = requirements;
    if (
      cluster.templates[claim.template].hasMinValues &&
      !meetsMinValues(cluster.types, types, cluster.space.get(requirements))
    ) {
      if (!relaxMinValues) return undefined;
      narrowed = this.lowerMinValues(types, requirements);
    }
    if (this.reservations.areAllFull(types, narrowed)) return undefined;
    const reservations = this.reservations.reachable(types, narrowed, claim.reservations);
    return { requirements: narrowed, types, reservations };
  }

  /** Removes types that cannot attach the volumes of the claim and the pod; false if none is left. */
  private canAttach(claim: Claim, pod: number, types: Bitset): boolean {
    const { volumeLimits } = this.cluster.types;
    const attached = volumeLimits.size === 0 ? undefined : this.cluster.volumesOfPod.get(pod)?.attached;
    if (attached === undefined || attached.length === 0) return true;
    const all = [...claim.volumes, ...attached];
    for (const [driver, limits] of volumeLimits) {
      const wanted = new Set(all.filter((v) => v.driver === driver).map((v) => v.claim)).size;
      for (const type of members(types)) if (limits[type] < wanted) removeBit(types, type);
    }
    return !isEmptyBitset(types);
  }

  /** Types that fit the claim's pods, this one and the type's DaemonSets, written into `out`. */
  private typesThatFit(claim: Claim, pod: number, shape: PodShape, out: Bitset): void {
    const { types, requests, requestOfPod, templates } = this.cluster;
    const amounts = requests.amounts(requestOfPod[pod]);
    const { daemons } = templates[claim.template];
    const several = daemons.length !== 1 || shape.hostPorts.length > 0;
    if (several) out.fill(0);
    for (const group of daemons) {
      if (shape.hostPorts.length > 0 && (group.ports.clash(shape.hostPorts) || claim.ports.clash(shape.hostPorts)))
        continue;
      const fitting = several ? this.groupScratch : out;
      copyInto(fitting, group.types);
      for (let d = 0; d < amounts.length; d++) {
        const total = claim.requests[d] + amounts[d] + group.overhead[d];
        if (total <= 0) continue;
        const enough = types.fit[d].typesWith(total);
        for (let w = 0; w < fitting.length; w++) fitting[w] &= enough[w];
      }
      if (fitting !== out) uniteInto(out, fitting);
    }
  }

  /** BestEffort: lowers minValues to what is available. */
  private lowerMinValues(types: Bitset, id: RequirementsId): RequirementsId {
    const { space, types: all } = this.cluster;
    const lowered = new Map<string, Requirement>();
    for (const [key, r] of space.get(id)) {
      const there = r.minValues === undefined ? 0 : all.valuesAmong(types, r);
      lowered.set(key, r.minValues !== undefined && there < r.minValues ? { ...r, minValues: there } : r);
    }
    return space.intern(lowered);
  }

  private tolerates(template: number, stage: PodStage): boolean {
    const { templates } = this.cluster;
    if (templates[template].taints.length === 0) return true;
    const key = stage.nodeClass * templates.length + template;
    let known = this.tolerated.get(key);
    if (known === undefined) {
      known = toleratesAll(templates[template].taints, stage.tolerations);
      this.tolerated.set(key, known);
    }
    return known;
  }

  private commit(claim: Claim, pod: number, shape: PodShape, extension: Extension): void {
    const { requests, requestOfPod } = this.cluster;
    const amounts = requests.amounts(requestOfPod[pod]);
    claim.pods.push(pod);
    claim.requirements = extension.requirements;
    // The extension's set is scratch; a claim gets its own with its first pod.
    if (claim.pods.length === 1) claim.types = extension.types.slice();
    else copyInto(claim.types, extension.types);
    for (let d = 0; d < amounts.length; d++) claim.requests[d] += amounts[d];
    if (shape.hostPorts.length > 0) claim.ports.take(shape.hostPorts);
    const volumes = this.cluster.types.volumeLimits.size === 0 ? undefined : this.cluster.volumesOfPod.get(pod);
    if (volumes !== undefined) for (const volume of volumes.attached) claim.volumes.push(volume);
    this.reservations.exchange(claim.reservations, extension.reservations);
    claim.reservations = extension.reservations;
    this.record(claim, pod, shape);
  }

  /** Counts the pod in its certain domain; for anti-affinity, in every possible one. */
  private record(claim: Claim, pod: number, shape: PodShape): void {
    const { counts } = this.topology;
    for (const g of this.cluster.membershipOfPod[pod].counted) {
      const group = counts.groups[g];
      if (!this.isActive(g) || !this.isCounted(g, claim)) continue;
      this.recordIn(g, claim, group.kind === 'anti-affinity');
    }
    for (const g of shape.repels) this.recordIn(g, claim, true);
  }

  private recordIn(g: number, claim: Claim, everywhere: boolean): void {
    const { counts } = this.topology;
    const { domains } = counts.groups[g];
    if (domains.byHost) {
      counts.add(g, claim.host, 1);
      return;
    }
    const where = this.cluster.space.require(claim.requirements, domains.key);
    if (where === undefined || (!everywhere && (where.complement || where.values.size !== 1))) return;
    for (const name of where.values) {
      const domain = domains.find(name);
      if (domain !== undefined) counts.add(g, domain, 1);
    }
  }

  private isCounted(g: number, claim: Claim): boolean {
    const group = this.topology.counts.groups[g];
    if (group.everyNode) return true;
    const key =
      (claim.requirements * this.cluster.templates.length + claim.template) * this.topology.counts.groups.length + g;
    let known = this.counted.get(key);
    if (known === undefined) {
      known = passesClaim(
        group.filter,
        this.cluster.space.get(claim.requirements),
        this.cluster.templates[claim.template].taints,
      );
      this.counted.set(key, known);
    }
    return known;
  }

  /** Ends a run: no later pod is placed on its claims. */
  seal(): readonly Claim[] {
    this.hinted.clear();
    return this.claims.length === 0 ? NO_CLAIMS : this.claims.splice(0);
  }

  /** Claims of earlier runs that pods of this run joined, as they were before. */
  sealJoined(): readonly (readonly [Claim, ClaimState])[] {
    if (this.joined.size === 0) return NOBODY_JOINED;
    const joined = [...this.joined];
    this.joined.clear();
    return joined;
  }

  /** Topology counts have their own rollback. */
  leave(joined: readonly (readonly [Claim, ClaimState])[]): void {
    for (const [claim, before] of joined) {
      this.reservations.exchange(claim.reservations, before.reservations);
      restore(claim, before);
    }
  }

  /** Returns the claims' resources; topology counts have their own rollback. */
  close(claims: readonly Claim[]): void {
    for (const claim of claims) {
      this.reservations.exchange(claim.reservations, NO_RESERVATIONS);
      this.cluster.limits.close(claim.template, claim.charged);
    }
    this.opened -= claims.length;
  }
}

const NO_CLAIMS: readonly Claim[] = [];
const NOBODY_JOINED: readonly (readonly [Claim, ClaimState])[] = [];
const ANYWHERE: readonly RequirementsId[] = [0];
