import { addBit, type Bitset, bitset, hasBit } from '../cluster/bitset.ts';
import { getOrInsert } from '../cluster/get-or-insert.ts';
import type { PodObject } from '../cluster/objects.ts';
import type { Spend } from '../cost/cluster-cost.ts';
import type { Candidate } from '../disruption/candidates.ts';
import type { Consolidation, Move } from '../moves/move.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import { NOT_AT_ONCE, type Outcome, type Simulation } from '../scheduling/simulation.ts';
import { type ClusterDifference, limitsMatter } from './cluster-difference.ts';
import { GainedRoom } from './gained-room.ts';

/** A simulation's result for a node alone, and everything it depended on. */
interface Known {
  /** As judged last. */
  candidate: Candidate;
  readonly maxReplacements: number;
  result: Consolidation;
  /** For each of the row's movable pods: the row that took it at once, NOT_AT_ONCE or NOT_TRIED. */
  readonly taken: readonly number[];
  /** Rows that took pods in the end. */
  readonly hosts: readonly number[];
  /** Pods of the move's placements, in their order. */
  readonly placed: readonly PodObject[];
}

/**
 * Verdicts on nodes alone, from one pass to the next. Pods are tried on nodes in a fixed order, first fit, so a verdict
 * holds as long as
 * - its own pods are the same objects,
 * - no topology group that they respect has other counts,
 * - no node that took one of them lost capacity,
 * - no node that gained capacity, or is new, comes before the one that took a pod and could take it, unless it could before.
 */
export class VerdictCache {
  private known: (Known | undefined)[] = [];
  /** Of the last pass, without its simulation, which would be kept until the next. */
  private last: { readonly cluster: CompiledCluster; readonly running: Spend | undefined } | undefined;
  /** Simulations of the pass. */
  simulated = 0;

  /** Begins a pass, with pauses before anything is changed. `difference`: from the cluster of the last pass; undefined without one. */
  *begin(simulation: Simulation, difference: ClusterDifference | undefined): Generator<void, void> {
    const known = yield* this.standing(simulation, difference);
    this.simulated = 0;
    this.known = known;
    this.last = { cluster: simulation.cluster, running: simulation.spend.running };
  }

  /** By row: the verdicts that hold. */
  private *standing(
    { cluster, spend }: Simulation,
    difference: ClusterDifference | undefined,
  ): Generator<void, (Known | undefined)[]> {
    const { known, last } = this;
    const out = new Array<Known | undefined>(cluster.rows.length);
    if (difference === undefined || last === undefined) return out;
    // Pods and rows keep their numbers, including pending pods and those of nodes being deleted.
    if (difference.isNone) return known;
    if (difference.isAboutAll) return out;
    // What a move saves depends on all nodes that a commitment may pay for.
    if (!isSameSpend(last.running, spend.running)) return out;
    const check = new Check(last.cluster, cluster, difference);
    for (let row = 0; row < known.length; row++) {
      if (row % ROWS_AT_ONCE === 0) yield;
      const there = difference.rowNow[row];
      const own = known[row];
      if (own === undefined || there < 0 || !check.stands(own, there)) continue;
      out[there] = difference.isGrowth ? own : check.renumbered(own, there);
    }
    return out;
  }

  /** The verdict on the candidate alone; simulated unless cached. */
  consolidation(
    simulation: Simulation,
    candidate: Candidate,
    maxReplacements: number,
    simulate: (watch: (outcome: Outcome) => void) => Consolidation,
  ): Consolidation {
    const known = this.known[candidate.row];
    if (known !== undefined && known.maxReplacements === maxReplacements && isJudgedAlike(known, candidate)) {
      known.result = withCandidate(known.result, candidate);
      known.candidate = candidate;
      return known.result;
    }
    this.simulated++;
    const { pods, movableOfRow } = simulation.cluster;
    const movable = movableOfRow[candidate.row];
    const taken = new Array<number>(movable.length).fill(NOT_TRIED);
    let hosts: readonly number[] = [];
    const result = simulate(({ trace, placements }) => {
      const queue = simulation.queueOf(candidate.row);
      for (const [k, pod] of queue.entries()) taken[movable.indexOf(pod)] = trace[k] ?? NOT_TRIED;
      hosts = [...new Set(placements.map(({ row }) => row))];
    });
    const placed = 'move' in result ? result.move.placements.map(({ pod }) => pods[pod]) : NONE_PLACED;
    this.known[candidate.row] = { candidate, maxReplacements, result, taken, hosts, placed };
    return result;
  }
}

const NOT_TRIED = NOT_AT_ONCE - 1;
const NONE_PLACED: readonly PodObject[] = [];

/** Whether a cached verdict still holds after a change of the cluster. */
class Check {
  private readonly before: CompiledCluster;
  private readonly now: CompiledCluster;
  private readonly difference: ClusterDifference;
  private readonly countsDiffer: Uint8Array;
  private readonly limitsMatter: boolean;
  /** Rows have the numbers that they had. */
  private readonly hasSameRows: boolean;
  private readonly gained: Bitset;
  private readonly gainedRoom = new Map<boolean, GainedRoom>();

  constructor(before: CompiledCluster, now: CompiledCluster, difference: ClusterDifference) {
    this.before = before;
    this.now = now;
    this.difference = difference;
    this.countsDiffer = new Uint8Array(now.groups.list.length);
    for (const group of difference.groups) this.countsDiffer[group] = 1;
    this.limitsMatter = difference.otherMachines && limitsMatter(now);
    this.hasSameRows = before.rows.length === now.rows.length && !difference.otherMachines;
    this.gained = bitset(now.rows.length);
    for (const row of difference.gained) addBit(this.gained, row);
  }

  stands({ taken, hosts }: Known, row: number): boolean {
    const { changed, lost, rowNow, gained, groups } = this.difference;
    if (changed[row] === 1 || hosts.some((host) => lost[host] === 1)) return false;
    if (groups.size > 0 && this.heedsOtherCounts(row)) return false;
    if (this.limitsMatter && taken.includes(NOT_AT_ONCE)) return false;
    if (gained.length === 0) return true;
    const movable = this.now.movableOfRow[row];
    // A host that gained may have been full with pods of this very simulation.
    const fuller = hosts.map((host) => rowNow[host]).filter((host) => hasBit(this.gained, host));
    return taken.every((host, i) => {
      if (host === NOT_TRIED) return true;
      const pod = movable[i];
      const until = this.placeOf(pod, host);
      if (until <= gained[0]) return true;
      const room = this.roomFor(pod);
      const first = room.firstFor(pod);
      if (first !== undefined && first < until) return false;
      return !fuller.some((other) => other < until && room.couldTake(other, pod));
    });
  }

  /** Rows from this one on do not matter: the pod was placed before them. Preferences are dropped only if no row meets them. */
  private placeOf(pod: number, taken: number): number {
    const isFirstFit = taken !== NOT_AT_ONCE && this.now.shapeOfPod[pod]?.stages.length === 1;
    return isFirstFit ? this.difference.rowNow[taken] : Infinity;
  }

  /** With the current numbers of pods and rows. */
  renumbered(known: Known, row: number): Known {
    const { rowNow } = this.difference;
    const { taken, hosts, result } = known;
    if (this.hasSameRows && 'refusal' in result) return known;
    const rowOf = (old: number) => (old >= 0 && old < NOT_TRIED ? rowNow[old] : old);
    return {
      ...known,
      taken: this.hasSameRows ? taken : taken.map(rowOf),
      hosts: this.hasSameRows ? hosts : hosts.map(rowOf),
      result: 'refusal' in result ? result : { move: this.renumberedMove(result.move, known, row, rowOf) },
    };
  }

  private renumberedMove(move: Move, { placed }: Known, row: number, rowOf: (old: number) => number): Move {
    const { podsOfRow, pods } = this.now;
    const podOf = new Map(podsOfRow[row].map((pod) => [pods[pod], pod]));
    const placements = move.placements.map((placement, i) => ({
      ...placement,
      pod: podOf.get(placed[i]) as number,
      row: rowOf(placement.row),
    }));
    const podsOn = (k: number) => placements.filter((p) => p.row === -1 - k).map(({ pod }) => pod);
    return { ...move, placements, replacements: move.replacements.map((r, k) => ({ ...r, pods: podsOn(k) })) };
  }

  private heedsOtherCounts(row: number): boolean {
    const { countsDiffer } = this;
    const { movableOfRow, shapeOfPod, membershipOfPod } = this.now;
    const isAny = (groups: readonly number[]) => {
      for (const group of groups) if (countsDiffer[group] === 1) return true;
      return false;
    };
    return movableOfRow[row].some((pod) => {
      const { repelledByHost, repelledByDomain } = membershipOfPod[pod];
      if (isAny(repelledByHost) || isAny(repelledByDomain)) return true;
      return shapeOfPod[pod]?.stages.some(({ byHost, byDomain }) => isAny(byHost) || isAny(byDomain)) === true;
    });
  }

  /** Pending pods on nodes may use what others leave free. */
  private roomFor(pod: number): GainedRoom {
    const mayUseReserve = this.now.pods[pod].phase === 'Pending';
    return getOrInsert(
      this.gainedRoom,
      mayUseReserve,
      () => new GainedRoom(this.before, this.now, this.difference, mayUseReserve),
    );
  }
}

/** Verdicts that are checked before others get a turn. */
const ROWS_AT_ONCE = 1024;

function isSameSpend(a: Spend | undefined, b: Spend | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && [...a].every(([coveredBy, dollars]) => b.get(coveredBy) === dollars);
}

/** Whether the candidate fields that a verdict depends on are equal, besides its pods. */
function isJudgedAlike({ candidate: a, result }: Known, b: Candidate): boolean {
  const weighs =
    a.policy.savingsThresholdCents !== 0 || ('refusal' in result && result.refusal.code === 'savings-below-threshold');
  return (
    a.pool === b.pool &&
    a.policy === b.policy &&
    a.price === b.price &&
    a.capacityType === b.capacityType &&
    a.autoPercent === undefined &&
    b.autoPercent === undefined &&
    (!weighs || a.disruptionCost === b.disruptionCost)
  );
}

function withCandidate(result: Consolidation, candidate: Candidate): Consolidation {
  return 'refusal' in result ? result : { move: { ...result.move, candidates: [candidate] } };
}
