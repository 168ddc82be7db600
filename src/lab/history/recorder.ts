import { quoteOf } from '../../engine/cluster/node-price.ts';
import type { ClusterObjects, InstanceType, PodObject } from '../../engine/cluster/objects.ts';
import { isDaemonPod, isMirrorPod, isOfJob, isTerminal } from '../../engine/cluster/pods.ts';
import { CAPACITY_TYPE, DISRUPTED_TAINT, INSTANCE_TYPE, NODE_POOL, ZONE } from '../../engine/cluster/well-known.ts';
import { workloadNames } from '../../engine/disruption/workloads.ts';
import { writePodTemplate } from '../../kube/encode/pod-template.ts';
import type { RecordedChange } from './recorded-change.ts';

const HOUR_MS = 3_600_000;
/** A line is written at least this often, so that a history has its length. */
const HEARTBEAT_MS = 10 * 60_000;
/** Smaller price changes are left out. */
const PRICE_NOISE = 0.01;

/** Kinds with their own number of replicas. */
const SCALABLE: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController']);

interface SeenPod {
  readonly workload: string;
  readonly node: string;
  readonly startedMs: number;
  /** Of pods of Jobs. */
  readonly number?: number;
}

/** Records what changes in a cluster between views. The first view is the snapshot of the history. */
export class HistoryRecorder {
  private readonly startMs: number;
  private lastMs = Number.NEGATIVE_INFINITY;
  private replicas: ReadonlyMap<string, number> = new Map();
  private pods: ReadonlyMap<string, SeenPod> = new Map();
  private nodes: ReadonlySet<string> = new Set();
  private types: readonly InstanceType[] = [];
  private readonly prices = new Map<string, number>();
  /** Workloads whose pods are known. */
  private readonly known = new Set<string>();
  private jobPods = 0;

  /** Pods of Jobs that ran when an earlier recorder ended, by workload and start: their numbers. */
  private readonly running = new Map<string, number[]>();

  /** `before`: what an earlier recorder of the same history wrote. */
  constructor(startMs: number, before: readonly RecordedChange[] = []) {
    this.startMs = startMs;
    const replicas = new Map<string, number>();
    const nodes = new Set<string>();
    const running = new Map<number, string>();
    for (const change of before) {
      this.lastMs = startMs + 1000 * change.t;
      for (const [name, wanted] of Object.entries(change.replicas ?? {})) replicas.set(name, wanted);
      for (const [name] of change.up ?? []) nodes.add(name);
      for (const name of change.down ?? []) nodes.delete(name);
      for (const [number, workload, startS] of change.began ?? []) running.set(number, `${workload} ${startS}`);
      for (const number of [...(change.ended ?? []).map(([each]) => each), ...(change.cut ?? [])])
        running.delete(number);
      for (const [number] of change.began ?? []) this.jobPods = Math.max(this.jobPods, number + 1);
      for (const name of Object.keys({ ...change.templates, ...change.replicas })) this.known.add(name);
    }
    this.replicas = replicas;
    this.nodes = nodes;
    for (const [number, key] of running) this.running.set(key, [...(this.running.get(key) ?? []), number]);
  }

  /** Changes since the last view; undefined if nothing is worth a line. The last one always is: it ends the history. */
  observe(objects: ClusterObjects, isLast = false): RecordedChange | undefined {
    const { nowMs } = objects;
    const first = this.lastMs === Number.NEGATIVE_INFINITY;
    const change: RecordedChange = {
      t: this.seconds(nowMs),
      ...this.priceChanges(objects.instanceTypes),
      ...this.nodeChanges(objects),
      ...this.podChanges(objects, first),
      ...this.replicaChanges(objects),
    };
    if (Object.keys(change).length === 1 && nowMs - this.lastMs < HEARTBEAT_MS && !isLast) return undefined;
    this.lastMs = nowMs;
    return change;
  }

  private seconds(ms: number): number {
    return Math.round((ms - this.startMs) / 1000);
  }

  private replicaChanges(objects: ClusterObjects): Pick<RecordedChange, 'replicas'> {
    const now = wantedReplicas(objects, this.pods);
    const changed: [string, number][] = [];
    for (const [name, replicas] of now) if (this.replicas.get(name) !== replicas) changed.push([name, replicas]);
    for (const name of this.replicas.keys()) if (!now.has(name)) changed.push([name, 0]);
    this.replicas = now;
    return unlessEmpty('replicas', changed.length, () => Object.fromEntries(changed));
  }

  private nodeChanges({ nodes, instanceTypes }: ClusterObjects): Pick<RecordedChange, 'up' | 'down'> {
    const now = new Map(nodes.filter(({ labels }) => labels[NODE_POOL] !== undefined).map((n) => [n.name, n]));
    const came = [...now.values()].filter(({ name }) => !this.nodes.has(name));
    const down = [...this.nodes].filter((name) => !now.has(name));
    this.nodes = new Set(now.keys());
    const types = new Map(came.length === 0 ? [] : instanceTypes.map((type) => [type.name, type]));
    const up = came.map(({ name, labels }) => {
      const label = (key: string) => labels[key] ?? '';
      const price = quoteOf(types.get(label(INSTANCE_TYPE)), labels)?.price ?? 0;
      return [name, label(NODE_POOL), label(INSTANCE_TYPE), label(ZONE), label(CAPACITY_TYPE), price] as const;
    });
    return { ...unlessEmpty('up', up.length, () => up), ...unlessEmpty('down', down.length, () => down) };
  }

  private podChanges(objects: ClusterObjects, first: boolean): Partial<RecordedChange> {
    const { pods, workloads, nowMs } = objects;
    const nameOf = workloadNames(workloads);
    const templates: [string, Readonly<Record<string, unknown>>][] = [];
    const began: [number, string, number][] = [];
    const now = new Map<string, SeenPod>();
    for (const pod of pods) {
      if (isDaemonPod(pod) || isMirrorPod(pod) || isTerminal(pod) || pod.terminating || pod.nodeName === '') continue;
      const seen = this.pods.get(pod.uid);
      if (seen !== undefined) {
        now.set(pod.uid, seen);
        continue;
      }
      const workload = nameOf(pod);
      const startedMs = pod.startedMs ?? pod.createdMs;
      // It may have been recorded before its start was known.
      const known = this.numberOf(workload, startedMs) ?? this.numberOf(workload, pod.createdMs);
      const number = isOfJob(pod) ? (known ?? this.jobPods++) : undefined;
      now.set(pod.uid, { workload, node: pod.nodeName, startedMs, ...(number === undefined ? {} : { number }) });
      if (number !== undefined && known === undefined) began.push([number, workload, this.seconds(startedMs)]);
      if (this.known.has(workload)) continue;
      this.known.add(workload);
      if (!first || number !== undefined) templates.push([workload, templateOf(pod)]);
    }
    const gone = this.gone(now, stayingNodes(objects), nowMs);
    const missed = this.missed(nowMs);
    this.pods = now;
    return {
      ...unlessEmpty('templates', templates.length, () => Object.fromEntries(templates)),
      ...unlessEmpty('began', began.length, () => began),
      ...gone,
      ...unlessEmpty('ended', missed.length, () => missed),
    };
  }

  private numberOf(workload: string, startedMs: number): number | undefined {
    return this.running.get(`${workload} ${this.seconds(startedMs)}`)?.pop();
  }

  /** Pods of Jobs that ended between two recorders, once. */
  private missed(nowMs: number): readonly [number, number][] {
    const ended = [...this.running].flatMap(([key, numbers]) => {
      const startS = Number(key.slice(key.lastIndexOf(' ') + 1));
      return numbers.map((number): [number, number] => [number, this.seconds(nowMs) - startS]);
    });
    this.running.clear();
    return ended;
  }

  private gone(now: ReadonlyMap<string, SeenPod>, stays: ReadonlySet<string>, nowMs: number): Partial<RecordedChange> {
    const ended: [number, number][] = [];
    const cut: number[] = [];
    const evicted = new Map<string, number>();
    let lostMs = 0;
    for (const [uid, { workload, node, startedMs, number }] of this.pods) {
      if (now.has(uid)) continue;
      const ranMs = Math.max(0, nowMs - startedMs);
      if (stays.has(node)) {
        if (number !== undefined) ended.push([number, Math.round(ranMs / 1000)]);
        continue;
      }
      evicted.set(workload, (evicted.get(workload) ?? 0) + 1);
      if (number === undefined) continue;
      cut.push(number);
      lostMs += ranMs;
    }
    return {
      ...unlessEmpty('ended', ended.length, () => ended),
      ...unlessEmpty('cut', cut.length, () => cut),
      ...unlessEmpty('evicted', evicted.size, () => Object.fromEntries(evicted)),
      ...unlessEmpty('lostHours', lostMs, () => lostMs / HOUR_MS),
    };
  }

  private priceChanges(types: readonly InstanceType[]): Pick<RecordedChange, 'prices'> {
    if (types === this.types) return {};
    this.types = types;
    const prices: [string, string, number][] = [];
    for (const type of types) {
      for (const [capacityType, price] of meanPrices(type)) {
        const key = `${type.name} ${capacityType}`;
        const before = this.prices.get(key);
        if (before !== undefined && Math.abs(price / before - 1) < PRICE_NOISE) continue;
        this.prices.set(key, price);
        if (before !== undefined) prices.push([type.name, capacityType, price / before]);
      }
    }
    return unlessEmpty('prices', prices.length, () => prices);
  }
}

function unlessEmpty<K extends keyof RecordedChange>(
  key: K,
  size: number,
  value: () => RecordedChange[K],
): Pick<RecordedChange, K> {
  return (size === 0 ? {} : { [key]: value() }) as Pick<RecordedChange, K>;
}

/** As controllers want them; of others as many as there are. Jobs and DaemonSets aside. */
function wantedReplicas(
  { workloads }: ClusterObjects,
  pods: ReadonlyMap<string, SeenPod>,
): ReadonlyMap<string, number> {
  const wanted = new Map<string, number>();
  const known = new Set(workloads.map(({ uid }) => uid));
  for (const { kind, namespace, name, owners, replicas } of workloads) {
    if (!SCALABLE.has(kind)) continue;
    const owner = owners.find((o) => o.controller);
    if (owner === undefined) wanted.set(`${kind} ${namespace}/${name}`, replicas);
    else if (!known.has(owner.uid)) {
      const key = `${owner.kind} ${namespace}/${owner.name}`;
      wanted.set(key, (wanted.get(key) ?? 0) + replicas);
    }
  }
  const counted = new Map<string, number>();
  for (const { workload, number } of pods.values())
    if (number === undefined && !wanted.has(workload)) counted.set(workload, (counted.get(workload) ?? 0) + 1);
  return new Map([...wanted, ...counted]);
}

/** Nodes that are not being removed: pods that go from them are not evicted. */
function stayingNodes({ nodes, nodeClaims }: ClusterObjects): ReadonlySet<string> {
  const leaving = new Set(nodeClaims.filter(({ terminating }) => terminating).map(({ nodeName }) => nodeName));
  const stays = nodes.filter(
    ({ name, terminating, taints }) =>
      !terminating && !leaving.has(name) && !taints.some(({ key }) => key === DISRUPTED_TAINT.key),
  );
  return new Set(stays.map(({ name }) => name));
}

function templateOf({ namespace, labels, requests, constraints }: PodObject): Readonly<Record<string, unknown>> {
  return writePodTemplate({ namespace, name: 'pod', labels, requests, constraints });
}

/** By capacity type, over all zones. */
function meanPrices({ offerings }: InstanceType): ReadonlyMap<string, number> {
  const sums = new Map<string, { total: number; offerings: number }>();
  for (const { price, requirements } of offerings) {
    const capacityType = requirements.find(({ key }) => key === CAPACITY_TYPE)?.values?.[0] ?? '';
    if (!(price > 0)) continue;
    const sum = sums.get(capacityType) ?? { total: 0, offerings: 0 };
    sums.set(capacityType, { total: sum.total + price, offerings: sum.offerings + 1 });
  }
  return new Map([...sums].map(([capacityType, sum]) => [capacityType, sum.total / sum.offerings]));
}
