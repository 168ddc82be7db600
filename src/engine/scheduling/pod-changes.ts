import { addBit, type Bitset, hasBit, removeBit } from '../cluster/bitset.ts';
import type { PodObject } from '../cluster/objects.ts';
import { isDaemonPod } from '../cluster/pods.ts';
import { HOSTNAME } from '../cluster/well-known.ts';
import { releaseOf } from '../karpenter-release.ts';
import type { CompiledCluster, Membership } from './compiled-cluster.ts';
import { isDestination } from './node-room.ts';
import { factsOf, type PodFacts } from './pod-facts.ts';
import type { PodShape } from './pod-shapes.ts';
import { recountRunningPod } from './running-pods.ts';
import { NO_VOLUMES } from './volumes.ts';

/** A pod that went, came or changed; one that changed does both. */
export interface PodChange {
  readonly before?: PodObject;
  readonly after?: PodObject;
}

export interface AppliedChanges {
  /** Rows whose pods are not the same any more. */
  readonly rows: readonly number[];
  /** Topology groups that count differently now. */
  readonly groups: ReadonlySet<number>;
}

/**
 * Brings a compiled cluster up to date with pods that changed, in place. Only for what happens all
 * the time: ordinary bound pods come, go and restart. Everything else (pending pods, DaemonSets,
 * volumes, host ports, new kinds of constraints or resources) answers undefined, and the caller
 * compiles afresh; the cluster is then half-changed and must be thrown away.
 */
export class PodChanges {
  private readonly cluster: CompiledCluster;
  private readonly indexOf = new Map<string, number>();
  private readonly vacant: number[] = [];

  constructor(cluster: CompiledCluster) {
    this.cluster = cluster;
    cluster.pods.forEach((pod, i) => {
      this.indexOf.set(podKey(pod), i);
    });
  }

  apply(changes: readonly PodChange[]): AppliedChanges | undefined {
    const rows = new Set<number>();
    const net = new Map<number, Map<number, number>>();
    const mark = this.cluster.counts.mark();
    for (const { before, after } of changes) {
      if (before !== undefined && !this.remove(before, rows)) return undefined;
      if (after !== undefined && !this.add(after, rows)) return undefined;
    }
    this.cluster.counts.changesSince(mark, (group, domain, delta) => {
      const own = net.get(group) ?? new Map<number, number>();
      net.set(group, own.set(domain, (own.get(domain) ?? 0) + delta));
    });
    this.cluster.counts.settle();
    for (const row of rows) this.recompute(row);
    const groups = new Set<number>();
    for (const [group, domains] of net) if ([...domains.values()].some((delta) => delta !== 0)) groups.add(group);
    return { rows: [...rows], groups };
  }

  /** Anti-affinity over domains is left out: a rule that nobody has any more still knows only the domains it knew. */
  private isOrdinary(pod: PodObject): boolean {
    const { hostPorts, requiredAntiAffinity } = pod.constraints;
    const repelsDomains = requiredAntiAffinity.some((term) => term.topologyKey !== HOSTNAME);
    return (
      pod.nodeName !== '' &&
      pod.volumeClaims.length === 0 &&
      hostPorts.length === 0 &&
      !repelsDomains &&
      !isDaemonPod(pod)
    );
  }

  private remove(pod: PodObject, rows: Set<number>): boolean {
    const i = this.indexOf.get(podKey(pod));
    const row = i === undefined ? -1 : this.cluster.rowOfPod[i];
    if (i === undefined || row < 0 || !this.isOrdinary(this.cluster.pods[i]) || this.cluster.rows[row].deleting)
      return false;
    this.recount(i, row, -1);
    drop(this.cluster.podsOfRow[row] as number[], i);
    drop(this.cluster.movableOfRow[row] as number[], i);
    this.cluster.rowOfPod[i] = -1;
    this.indexOf.delete(podKey(pod));
    this.vacant.push(i);
    rows.add(row);
    return true;
  }

  private add(pod: PodObject, rows: Set<number>): boolean {
    const { cluster } = this;
    const row = cluster.rowOfNode.get(pod.nodeName);
    const i = this.vacant.pop();
    if (row === undefined || i === undefined || !this.isOrdinary(pod) || cluster.rows[row].deleting) return false;
    const request = cluster.requests.idOf(pod.requests);
    const shape = cluster.shapes.shapeOf(pod, NO_VOLUMES);
    // New resources, groups or classes of nodes would need columns that are not there.
    if (
      cluster.requests.dimensions.size !== cluster.free.length ||
      cluster.shapes.rules.list.length !== cluster.groups.list.length ||
      cluster.shapes.nodeClasses.length !== cluster.nodeClasses
    )
      return false;
    (cluster.shapesInUse as Set<PodShape>).add(shape);
    const { disruptionCost } = releaseOf(cluster.settings);
    const { managesDeletionCost } = cluster.objects.options;
    const facts = factsOf(pod, cluster.facts[i].place, { disruptionCost, managesDeletionCost });
    const movable = cluster.rows[row].tracked && facts.reschedulable && cluster.budgets.letsGo(pod, facts);
    (cluster.pods as PodObject[])[i] = pod;
    (cluster.facts as PodFacts[])[i] = facts;
    cluster.rowOfPod[i] = row;
    cluster.requestOfPod[i] = request;
    (cluster.shapeOfPod as (PodShape | undefined)[])[i] =
      movable || pod.constraints.requiredAntiAffinity.length > 0 ? shape : undefined;
    (cluster.membershipOfPod as Membership[])[i] = cluster.membershipFor(pod);
    (cluster.podsOfRow[row] as number[]).push(i);
    if (movable) (cluster.movableOfRow[row] as number[]).push(i);
    this.indexOf.set(podKey(pod), i);
    this.recount(i, row, 1);
    rows.add(row);
    return true;
  }

  private recount(i: number, row: number, delta: 1 | -1): void {
    const { cluster } = this;
    recountRunningPod(
      cluster.pods[i],
      cluster.membershipOfPod[i],
      cluster.shapeOfPod[i],
      row,
      cluster.rows[row],
      cluster.counts,
      delta,
    );
  }

  private recompute(row: number): void {
    const { cluster } = this;
    const { requests, free, freeIndex, rows, destinations, unshielded } = cluster;
    const reserve = cluster.daemonReserve[row].slice();
    const allocatable = requests.row(rows[row].allocatable);
    for (let d = 0; d < free.length; d++) free[d][row] = allocatable[d];
    for (const i of cluster.podsOfRow[row]) {
      const { terminal, daemon } = cluster.facts[i];
      if (terminal) continue;
      const amounts = requests.amounts(cluster.requestOfPod[i]);
      for (let d = 0; d < free.length; d++) {
        free[d][row] -= amounts[d];
        if (daemon) reserve[d] -= amounts[d];
      }
    }
    for (let d = 0; d < free.length; d++) free[d][row] -= Math.max(0, reserve[d]);
    const open = isDestination(rows[row], row, free, requests, cluster.volumeLimits, cluster.settings);
    setBit(destinations, row, open);
    setBit(unshielded, row, open && !hasBit(cluster.shielded, row));
    for (let d = 0; d < free.length; d++) freeIndex[d].update(row, free[d][row]);
  }
}

function setBit(set: Bitset, row: number, on: boolean): void {
  if (on) addBit(set, row);
  else removeBit(set, row);
}

export function podKey(pod: PodObject): string {
  return `${pod.namespace}/${pod.name}`;
}

function drop(list: number[], value: number): void {
  const at = list.indexOf(value);
  if (at >= 0) list.splice(at, 1);
}
