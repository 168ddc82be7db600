import type { Action } from '../../src/controller/cluster-port.ts';
import type { ClusterObjects, PodObject, WorkloadObject } from '../../src/engine/cluster/objects.ts';
import { isActive } from '../../src/engine/cluster/pods.ts';
import { compile } from '../../src/engine/scheduling/compile.ts';
import { PLAINLY } from './cluster.ts';

/** Where the Deployments live. */
interface Cluster {
  objects: ClusterObjects;
  touch(node: string): void;
}

/**
 * The Deployment and ReplicaSet controllers, kube-scheduler and kubelet for Deployments with a rollout: one pod more
 * than wanted while a template changes, none less.
 */
export class FakeDeployments {
  private readonly cluster: Cluster;
  /** From the binding of a new pod to its readiness; undefined: never. */
  private readonly readyMs: (pod: PodObject) => number | undefined;
  private created = 0;
  /** The controllers have not seen the last change yet. */
  private isBehind = false;
  /** By the UID of a Deployment: a pod of it, as the template of others. */
  private readonly templates = new Map<string, PodObject>();

  constructor(cluster: Cluster, readyMs: (pod: PodObject) => number | undefined) {
    this.cluster = cluster;
    this.readyMs = readyMs;
  }

  restart({ uid, command, undo }: Extract<Action, { kind: 'restart-deployment' }>): void {
    this.change(uid, ({ rollout, ...own }) => {
      if (rollout === undefined || (undo !== undefined && rollout.restartedBy !== command)) return { rollout, ...own };
      const { restartedBy: _, ...rest } = rollout;
      const by = undo === undefined ? command : undo.before;
      return { ...own, rollout: { ...rest, isSettled: false, ...(by === undefined ? {} : { restartedBy: by }) } };
    });
    this.isBehind = true;
  }

  setExtra({ uid, command, wanted }: Extract<Action, { kind: 'extra-replica' }>): void {
    this.change(uid, ({ rollout, replicas, ...own }) => {
      if (rollout === undefined || (rollout.extraReplica === command) === wanted) return { rollout, replicas, ...own };
      const { extraReplica: _, ...others } = rollout;
      const rest = { ...others, isSettled: false };
      return wanted
        ? { ...own, replicas: replicas + 1, rollout: { ...rest, extraReplica: command } }
        : { ...own, replicas: replicas - 1, rollout: rest };
    });
    this.isBehind = true;
  }

  /** When a new pod becomes ready; undefined: never. */
  nextMs(): number | undefined {
    const times = this.deployments().flatMap((d) => this.podsOf(d).map((pod) => this.readyAtMs(pod) ?? Infinity));
    if (this.isBehind) return this.cluster.objects.nowMs + 1_000;
    const soonest = Math.min(...times);
    return soonest === Infinity ? undefined : soonest;
  }

  /** What the controllers would do by now. */
  settle(): void {
    this.isBehind = false;
    for (const deployment of this.deployments()) this.reconcile(deployment);
  }

  private reconcile(d: WorkloadObject): void {
    const { nowMs } = this.cluster.objects;
    for (const pod of this.podsOf(d)) {
      if (pod.nodeName === '') this.schedule(pod);
      else if ((this.readyAtMs(pod) ?? Infinity) <= nowMs) this.replace(pod, { ...pod, ready: 'True' });
    }
    const set = this.replicaSetOf(d);
    const isOld = ({ owners }: PodObject) => owners[0].uid !== set;
    const all = this.podsOf(d);
    const like = all[0] ?? this.templates.get(d.uid);
    if (like !== undefined) this.templates.set(d.uid, like);
    const fresh = all.filter((p) => !isOld(p));
    if (fresh.length < d.replicas && all.length <= d.replicas) this.create(d, set, like);
    const now = this.podsOf(d);
    const surplus = now.filter(isReady).length - d.replicas;
    const old = now.filter(isOld);
    const going =
      old.length > 0
        ? [...old.filter((p) => !isReady(p)), ...old.filter(isReady).slice(0, Math.max(0, surplus))]
        : [...now].sort(firstToGo).slice(0, Math.max(0, now.length - d.replicas));
    for (const pod of going) this.replace(pod, undefined);
    const left = this.podsOf(d);
    const isSettled = left.length === d.replicas && left.every((p) => isReady(p) && !isOld(p));
    const readyReplicas = left.filter(isReady).length;
    if (d.rollout?.isSettled === isSettled && d.readyReplicas === readyReplicas) return;
    this.change(d.uid, (own) => ({ ...own, readyReplicas, rollout: own.rollout && { ...own.rollout, isSettled } }));
  }

  /** The UID of the ReplicaSet of its template, which is made if it is new. */
  private replicaSetOf(d: WorkloadObject): string {
    const { workloads } = this.cluster.objects;
    const sets = workloads.filter((w) => w.kind === 'ReplicaSet' && w.owners[0]?.uid === d.uid);
    const by = d.rollout?.restartedBy;
    if (by === undefined) return sets[0].uid;
    const uid = `${sets[0].uid}-${by}`;
    if (!sets.some((w) => w.uid === uid))
      this.cluster.objects = { ...this.cluster.objects, workloads: [...workloads, { ...sets[0], uid, name: uid }] };
    return uid;
  }

  /** `like`: a pod of another template. */
  private create(d: WorkloadObject, set: string, like: PodObject | undefined): void {
    const { objects } = this.cluster;
    if (like === undefined) return;
    const name = `${d.name}-new-${this.created++}`;
    const pod: PodObject = {
      ...like,
      name,
      uid: `uid-${name}`,
      owners: [{ ...like.owners[0], uid: set }],
      nodeName: '',
      createdMs: objects.nowMs,
      startedMs: undefined,
      phase: 'Pending',
      unschedulable: false,
      ready: '',
      steeredCost: undefined,
    };
    this.cluster.objects = { ...objects, pods: [...objects.pods, pod] };
    this.schedule(pod);
  }

  /** First fit on an untainted node, one without the soft taint if possible. */
  private schedule(pod: PodObject): void {
    const { objects } = this.cluster;
    const { rows, free } = compile(objects, PLAINLY);
    const fits = rows.flatMap(({ node, initialized, taints, deleting }, row) => {
      const hasRoom = free[0][row] >= pod.requests.cpu && free[1][row] >= pod.requests.memory && free[2][row] > 0;
      return node !== undefined && initialized && !deleting && taints.length === 0 && hasRoom ? [node] : [];
    });
    const node = fits.find((n) => n.steered !== true) ?? fits[0];
    if (node === undefined) {
      this.replace(pod, { ...pod, unschedulable: true });
      return;
    }
    const bound = { nodeName: node.name, startedMs: objects.nowMs, phase: 'Running', unschedulable: false };
    this.replace(pod, { ...pod, ...bound, ready: 'False' });
    this.cluster.touch(node.name);
  }

  private readyAtMs(pod: PodObject): number | undefined {
    if (pod.startedMs === undefined || pod.nodeName === '' || isReady(pod)) return undefined;
    const delay = this.readyMs(pod);
    return delay === undefined ? undefined : pod.startedMs + delay;
  }

  private deployments(): readonly WorkloadObject[] {
    return this.cluster.objects.workloads.filter((w) => w.kind === 'Deployment' && w.rollout !== undefined);
  }

  private podsOf(d: WorkloadObject): readonly PodObject[] {
    const { pods, workloads } = this.cluster.objects;
    const sets = new Set(workloads.flatMap((w) => (w.owners.some((o) => o.uid === d.uid) ? [w.uid] : [])));
    return pods.filter((p) => isActive(p) && sets.has(p.owners[0]?.uid));
  }

  private change(uid: string, change: (own: WorkloadObject) => WorkloadObject): void {
    const workloads = this.cluster.objects.workloads.map((w) => (w.uid === uid ? change(w) : w));
    this.cluster.objects = { ...this.cluster.objects, workloads };
  }

  private replace(pod: PodObject, by: PodObject | undefined): void {
    const pods = this.cluster.objects.pods.flatMap((p) => (p !== pod ? [p] : by === undefined ? [] : [by]));
    this.cluster.objects = { ...this.cluster.objects, pods };
    if (by === undefined && pod.nodeName !== '') this.cluster.touch(pod.nodeName);
  }
}

function isReady({ ready }: PodObject): boolean {
  return ready === 'True';
}

/** As the ReplicaSet controller orders pods that it removes. */
function firstToGo(a: PodObject, b: PodObject): number {
  return (
    Number(isReady(a)) - Number(isReady(b)) || (a.steeredCost ?? 0) - (b.steeredCost ?? 0) || b.createdMs - a.createdMs
  );
}
