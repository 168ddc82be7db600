import type { ClusterObjects, DaemonSetObject, Labels, Owner, PodObject } from '../engine/cluster/objects.ts';
import { isDaemonPod, isMirrorPod } from '../engine/cluster/pods.ts';
import type { Span } from './random-streams.ts';
import type { ReplicaCurve } from './replica-curve.ts';
import type { App, ClusterSettings, Scenario } from './scenario.ts';
import { takesPart } from './starting-point.ts';

/** How Deployments of a cluster are to change over time; without, they stay as they are. */
export interface Shaping {
  /** Share by which they swing over the day around what they have now, above 0 and up to 1. */
  readonly wave?: number;
  /** Share by which they grow in a day; below 0 they shrink. */
  readonly growth?: number;
}

const STARTUP: Span = { leastMs: 3_000, mostMs: 15_000 };
const SHUTDOWN: Span = { leastMs: 1_000, mostMs: 10_000 };
const PEAK_HOUR = 14;
/** An autoscaler looks and settles as Kubernetes' own does. */
const LOOK_MS = 60_000;
const SETTLE_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** Labels that the controller of a workload gives to each pod by itself. */
const LABELS_OF_ONE = new Set([
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/job-completion-index',
]);

/**
 * A real cluster and what will become of it: nodes and pods as they are, pods' owners as workloads. Pods of one owner that
 * ask for different things are workloads of their own.
 */
export function snapshotScenario(
  name: string,
  objects: ClusterObjects,
  settings: ClusterSettings,
  shaping: Shaping = {},
): Scenario {
  const nodes = new Set(objects.nodes.map((n) => n.name));
  const sets = new Map(objects.daemonSets.map((set) => [`${set.namespace}/${set.uid}`, set]));
  const groups = new Map<string, PodObject[]>();
  const keys = objects.pods.map((pod) => (takesPart(pod, nodes) ? groupOf(pod) : undefined));
  objects.pods.forEach((pod, i) => {
    const key = keys[i];
    if (key !== undefined) groups.set(key, [...(groups.get(key) ?? []), pod]);
  });
  const number = new Map([...groups.keys()].map((key, i) => [key, i]));
  const names = workloadNames(objects);
  const apps = [...groups.values()].map((pods) => appOf(pods, { sets, names, nowMs: objects.nowMs, shaping }));
  const seen = new Set(apps.flatMap(({ owners = [] }) => owners.map((o) => o.uid)));
  const idle = objects.daemonSets.filter((set) => !seen.has(set.uid)).map(daemonApp);
  return {
    name,
    startMs: objects.nowMs,
    instanceTypes: objects.instanceTypes,
    options: objects.options,
    nodePools: objects.nodePools,
    apps: [...apps, ...idle],
    settings,
    start: { objects, appOfPod: keys.map((key) => (key === undefined ? undefined : number.get(key))) },
  };
}

/** Equal for pods that one workload could have made from one template. */
function groupOf(pod: PodObject): string {
  const { namespace, name, labels, requests, constraints, priority, deletionCost, doNotDisrupt } = pod;
  const owner = controllerOf(pod);
  const template = [requests, constraints, priority, deletionCost, doNotDisrupt, withoutOwn(labels)];
  return JSON.stringify([namespace, owner?.uid ?? ['pod', name], ...template]);
}

function controllerOf({ owners }: PodObject): Owner | undefined {
  return owners.find((o) => o.controller);
}

function withoutOwn(labels: Labels): Labels {
  const shared = Object.entries(labels).filter(([key]) => !LABELS_OF_ONE.has(key));
  return Object.fromEntries(shared.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Surroundings {
  readonly sets: ReadonlyMap<string, DaemonSetObject>;
  readonly names: ReadonlyMap<string, string>;
  readonly nowMs: number;
  readonly shaping: Shaping;
}

/** What people call the workload that an owner belongs to, by the owner's UID: a ReplicaSet by its Deployment. */
function workloadNames({ workloads }: ClusterObjects): ReadonlyMap<string, string> {
  return new Map(workloads.map(({ uid, name, owners }) => [uid, owners.find((o) => o.controller)?.name ?? name]));
}

function appOf(pods: readonly PodObject[], { sets, names, nowMs, shaping }: Surroundings): App {
  const [pod] = pods;
  const owner = controllerOf(pod);
  const { namespace, labels, requests, constraints, priority, deletionCost, doNotDisrupt, owners } = pod;
  const base = {
    name: names.get(owner?.uid ?? '') ?? owner?.name ?? pod.name,
    namespace,
    labels: withoutOwn(labels),
    requests,
    constraints,
    ...(priority === undefined ? {} : { priority }),
    ...(deletionCost === undefined ? {} : { deletionCost }),
    ...(doNotDisrupt === undefined ? {} : { doNotDisrupt }),
    startup: STARTUP,
    shutdown: SHUTDOWN,
    owners,
  };
  if (isMirrorPod(pod)) return { ...base, kind: 'DaemonSet', onlyWhereFound: true };
  if (isDaemonPod(pod)) {
    const set = sets.get(`${namespace}/${owner?.uid}`);
    return set === undefined ? { ...base, kind: 'DaemonSet', onlyWhereFound: true } : { ...base, kind: 'DaemonSet' };
  }
  if (owner?.kind === 'Job')
    return { ...base, kind: 'Job', firstMs: 0, jitterMs: 0, pods: 0, runTime: { leastMs: DAY_MS, mostMs: DAY_MS } };
  const wanted = pods.filter((p) => !p.terminating).length;
  const replicated = { ...base, rollouts: [], alignedScaleIn: false };
  if (owner?.kind === 'StatefulSet' && areOrdinals(owner.name, pods))
    return { ...replicated, name: owner.name, kind: 'StatefulSet', replicas: constant(wanted) };
  const curve = owner?.kind === 'ReplicaSet' ? shaped(wanted, nowMs, shaping) : constant(wanted);
  const irreplaceable = owner === undefined ? ({ irreplaceable: true } as const) : {};
  return { ...replicated, ...irreplaceable, kind: 'Deployment', replicas: curve };
}

/** One that has no pod yet. */
function daemonApp(set: DaemonSetObject): App {
  const { namespace, name, uid, labels, requests, constraints } = set;
  const owners = [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name, uid, controller: true }];
  return {
    kind: 'DaemonSet',
    name,
    namespace,
    labels,
    requests,
    constraints,
    startup: STARTUP,
    shutdown: SHUTDOWN,
    owners,
  };
}

/** Names from 0 on without a gap, so that those that come back can be told. */
function areOrdinals(name: string, pods: readonly PodObject[]): boolean {
  const names = new Set(pods.map((p) => p.name));
  return pods.every((p, i) => !p.terminating && names.has(`${name}-${i}`));
}

function constant(base: number): ReplicaCurve {
  return { base, everyMs: LOOK_MS, steps: [], growthPerHour: 0, noise: 0, settleMs: 0 };
}

/** Goes through what there is now. */
function shaped(replicas: number, nowMs: number, { wave, growth = 0 }: Shaping): ReplicaCurve {
  const growthPerHour = (growth * replicas) / 24;
  if (wave === undefined) return { ...constant(replicas), growthPerHour, settleMs: growth === 0 ? 0 : SETTLE_MS };
  const now = Math.cos(2 * Math.PI * ((nowMs % DAY_MS) / DAY_MS - PEAK_HOUR / 24));
  const base = replicas / Math.max(1 + wave * now, LEAST_SHARE);
  return {
    ...constant(base),
    growthPerHour,
    settleMs: SETTLE_MS,
    wave: { amplitude: wave * base, peakHour: PEAK_HOUR, weekend: 1 },
  };
}

/** In the trough of a wave of 100 % there is nothing to tell its height by. */
const LEAST_SHARE = 0.1;
