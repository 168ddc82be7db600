import { hasBit } from '../cluster/bitset.ts';
import type { ClusterObjects } from '../cluster/objects.ts';
import { isSameList } from '../cluster/same-list.ts';
import { isSameMachine } from '../cluster/state-nodes.ts';
import { rowsNow } from '../scheduling/carry-over.ts';
import type { CompiledCluster } from '../scheduling/compiled-cluster.ts';
import type { GroupId } from '../scheduling/group-rules.ts';
import { recountRunningPod } from '../scheduling/running-pods.ts';

/** What simulations depend on that changed from one compiled cluster to the next. */
export interface ClusterDifference {
  /** By previous row: the current row of the same machine, -1 if it is gone. */
  readonly rowNow: Int32Array;
  /** By current row: the machine is new, or has other pods. */
  readonly changed: Uint8Array;
  /**
   * By current row: as `changed`, except if every pod was replaced by one with the same requests: restarts do not
   * affect a search.
   */
  readonly reshaped: Uint8Array;
  /** By previous row: it may take less than before, or is gone. */
  readonly lost: Uint8Array;
  /** Current rows that may take more than before, in order. */
  readonly gained: readonly number[];
  /** Topology groups with other counts. */
  readonly groups: ReadonlySet<GroupId>;
  /** Machines came, went or changed. */
  readonly otherMachines: boolean;
  /** Only the time, and what only gates read, is different. */
  readonly isNone: boolean;
  /**
   * Nothing else is different but that nodes may take more than before, or came with their pods. Pods and rows keep their
   * numbers, and moves that could be made still can.
   */
  readonly isGrowth: boolean;
  /** Something that every simulation depends on is different: no verdict holds. */
  readonly isAboutAll: boolean;
}

export function differenceOf(before: CompiledCluster, now: CompiledCluster): ClusterDifference {
  const isNone = isPlacedAlike(before, now);
  const rowNow = rowsNow(before, now);
  const otherMachines = before.rows.length !== now.rows.length || rowNow.includes(-1);
  const isAboutAll =
    !isNone && (!isComparable(before, now) || (otherMachines && !before.counts.knowsAsManyNodesAs(now.counts)));
  const changed = new Uint8Array(now.rows.length).fill(1);
  const reshaped = new Uint8Array(now.rows.length).fill(1);
  const lost = new Uint8Array(before.rows.length).fill(1);
  const gained: number[] = [];
  const counts = new CountChanges(before, now);
  const kept = new Uint8Array(now.rows.length);
  for (let row = 0; row < rowNow.length; row++) {
    const there = rowNow[row];
    if (there < 0) {
      if (!isAboutAll) counts.left(row, before.podsOfRow[row]);
      continue;
    }
    kept[there] = 1;
    const samePods = isSamePods(before, before.podsOfRow[row], now, now.podsOfRow[there]);
    const isSame = samePods && isSamePods(before, before.movableOfRow[row], now, now.movableOfRow[there]);
    changed[there] = isSame ? 0 : 1;
    reshaped[there] = isSame || asksForTheSame(before, row, now, there) ? 0 : 1;
    if (isAboutAll) continue;
    const special = !samePods && (hasSpecialPods(before, row) || hasSpecialPods(now, there));
    const capacity = special ? EITHER_WAY : capacityChange(before, row, now, there);
    lost[row] = capacity.lost ? 1 : 0;
    if (capacity.gained) gained.push(there);
    if (!samePods) counts.exchanged(row, there);
  }
  for (let row = 0; row < kept.length && !isAboutAll; row++) {
    if (kept[row] === 1) continue;
    gained.push(row);
    counts.came(row, now.podsOfRow[row]);
  }
  gained.sort((a, b) => a - b);
  const difference = {
    rowNow,
    changed,
    reshaped,
    lost,
    gained,
    groups: counts.groups(),
    otherMachines,
    isNone,
    isAboutAll,
  };
  return { ...difference, isGrowth: isNone || isGrowth(before, now, difference) };
}

function isGrowth(
  before: CompiledCluster,
  now: CompiledCluster,
  { rowNow, changed, lost, groups, otherMachines, isAboutAll }: Omit<ClusterDifference, 'isGrowth'>,
): boolean {
  if (isAboutAll || groups.size > 0 || lost.includes(1)) return false;
  if (otherMachines && limitsMatter(now)) return false;
  for (let row = 0; row < rowNow.length; row++) if (rowNow[row] !== row || changed[row] === 1) return false;
  for (let row = rowNow.length; row < changed.length; row++) if (!now.counts.knowsWithout(row)) return false;
  return before.pods.every((pod, i) => pod === now.pods[i]);
}

/** Nodes that came use up what may be launched. */
export function limitsMatter({ templates }: CompiledCluster): boolean {
  return templates.some(({ pool }) => Object.keys(pool.limits).length > 0);
}

/** Inputs of compiled volumes, apart from CSINodes, which belong to machines. */
const STORAGE = ['persistentVolumes', 'persistentVolumeClaims', 'storageClasses', 'undecodable'] as const;

function hasSameGround(before: CompiledCluster, now: CompiledCluster): boolean {
  return (
    before.space === now.space &&
    before.settings === now.settings &&
    now.settings.destinationLifetime !== true &&
    isSameOptions(before.objects.options, now.objects.options) &&
    STORAGE.every((kind) => isSameList(before.objects[kind], now.objects[kind]))
  );
}

/** Pods that every simulation places are part of every verdict. */
function isComparable(before: CompiledCluster, now: CompiledCluster): boolean {
  return (
    hasSameGround(before, now) &&
    !before.groupsMerged &&
    !now.groupsMerged &&
    before.pending.length + before.leaving.length + now.pending.length + now.leaving.length === 0
  );
}

/** The same pod objects on the same machines: simulations run identically. */
function isPlacedAlike(a: CompiledCluster, b: CompiledCluster): boolean {
  return (
    hasSameGround(a, b) &&
    isSameList(a.objects.csiNodes, b.objects.csiNodes) &&
    isSameList(a.pods, b.pods) &&
    a.rows.length === b.rows.length &&
    a.rows.every((row, i) => isSameMachine(row, b.rows[i])) &&
    isSameList(a.destinations, b.destinations) &&
    isSameList(a.shielded, b.shielded) &&
    isSameList(a.pending, b.pending) &&
    isSameList(a.leaving, b.leaving) &&
    isSameMap(a.objects.plannedDestinations, b.objects.plannedDestinations) &&
    isSameReserve(a, b) &&
    a.movableOfRow.every((pods, row) => isSameList(pods, b.movableOfRow[row]))
  );
}

function isSameMap(a: ReadonlyMap<string, string> = new Map(), b: ReadonlyMap<string, string> = new Map()): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value);
}

function isSameReserve({ reserve: a }: CompiledCluster, { reserve: b }: CompiledCluster): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.length === b.length && a.every((column, d) => isSameList(column, b[d]));
}

function isSameOptions(a: ClusterObjects['options'], b: ClusterObjects['options']): boolean {
  return a === b || (Object.keys(a) as (keyof typeof a)[]).every((key) => a[key] === b[key]);
}

/** The same pod objects. */
function isSamePods(
  before: CompiledCluster,
  a: readonly number[],
  now: CompiledCluster,
  b: readonly number[],
): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (before.pods[a[i]] !== now.pods[b[i]]) return false;
  return true;
}

/** Pods that would have to move have the same requests, in number and kind. */
function asksForTheSame(before: CompiledCluster, row: number, now: CompiledCluster, there: number): boolean {
  const asked = ({ space, movableOfRow, requestOfPod, shapeOfPod }: CompiledCluster, at: number) => ({
    space,
    pods: movableOfRow[at].map((pod) => `${requestOfPod[pod]} ${shapeOfPod[pod]?.id}`).sort(),
  });
  const [was, is] = [asked(before, row), asked(now, there)];
  return was.space === is.space && isSameList(was.pods, is.pods);
}

/** Host ports and volumes cannot be compared as amounts. */
function hasSpecialPods({ podsOfRow, pods, facts }: CompiledCluster, row: number): boolean {
  return podsOfRow[row].some((pod) => facts[pod].hasVolumes || pods[pod].constraints.hostPorts.length > 0);
}

interface CapacityChange {
  readonly lost: boolean;
  readonly gained: boolean;
}

const EITHER_WAY: CapacityChange = { lost: true, gained: true };

function capacityChange(before: CompiledCluster, row: number, now: CompiledCluster, there: number): CapacityChange {
  let lost = false;
  let gained = false;
  for (let d = 0; d < now.free.length; d++) {
    const change = now.free[d][there] - before.free[d][row];
    const kept = (now.reserve?.[d][there] ?? 0) - (before.reserve?.[d][row] ?? 0);
    if (change < 0 || change < kept) lost = true;
    if (change > 0 || change > kept) gained = true;
  }
  for (const set of ['destinations', 'unshielded'] as const) {
    const [was, is] = [hasBit(before[set], row), hasBit(now[set], there)];
    if (was && !is) lost = true;
    else if (is && !was) gained = true;
  }
  return { lost, gained };
}

/** Sums the changes in topology counts by pods that came and went. */
class CountChanges {
  private readonly before: CompiledCluster;
  private readonly now: CompiledCluster;
  private readonly net = new Map<GroupId, Map<string, number>>();

  constructor(before: CompiledCluster, now: CompiledCluster) {
    this.before = before;
    this.now = now;
  }

  left(row: number, pods: readonly number[]): void {
    for (const pod of pods) this.add(this.before, row, pod, -1);
  }

  came(row: number, pods: readonly number[]): void {
    for (const pod of pods) this.add(this.now, row, pod, 1);
  }

  exchanged(row: number, there: number): void {
    const [old, fresh] = [this.before.podsOfRow[row], this.now.podsOfRow[there]];
    const was = new Set(old.map((pod) => this.before.pods[pod]));
    const is = new Set(fresh.map((pod) => this.now.pods[pod]));
    this.left(
      row,
      old.filter((pod) => !is.has(this.before.pods[pod])),
    );
    this.came(
      there,
      fresh.filter((pod) => !was.has(this.now.pods[pod])),
    );
  }

  groups(): ReadonlySet<GroupId> {
    const out = new Set<GroupId>();
    for (const [group, domains] of this.net) if ([...domains.values()].some((delta) => delta !== 0)) out.add(group);
    return out;
  }

  private add(cluster: CompiledCluster, row: number, pod: number, delta: 1 | -1): void {
    const { pods, membershipOfPod, shapeOfPod, rows, counts } = cluster;
    recountRunningPod(
      pods[pod],
      membershipOfPod[pod],
      shapeOfPod[pod],
      row,
      rows[row],
      {
        groups: counts.groups,
        hostsNeedLabel: counts.hostsNeedLabel,
        counts: (group, at) => counts.counts(group, at),
        add: (group, domain, change) => this.count(group, counts.groups[group].domains.names[domain], change),
      },
      delta,
    );
  }

  private count(group: GroupId, domain: string, delta: number): void {
    const own = this.net.get(group) ?? new Map<string, number>();
    this.net.set(group, own.set(domain, (own.get(domain) ?? 0) + delta));
  }
}
