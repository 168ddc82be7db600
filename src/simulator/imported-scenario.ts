import { getOrInsert } from '../engine/cluster/get-or-insert.ts';
import type {
  ClusterObjects,
  DaemonSetObject,
  Labels,
  Owner,
  PodObject,
  Resources,
} from '../engine/cluster/objects.ts';
import { isDaemonPod, isMirrorPod } from '../engine/cluster/pods.ts';
import type { AutoscalerObject } from '../engine/cluster/scaling-objects.ts';
import { isSimulated } from './import-cluster.ts';
import { ImportedJobs } from './imported-jobs.ts';
import type { DurationRange } from './random-streams.ts';
import type { ReplicaCurve } from './replica-curve.ts';
import type { App, ClusterSettings, Scenario } from './scenario.ts';

/** How replicas of imported Deployments change over time; constant by default. */
export interface ReplicaTrend {
  /** Daily swing around the current replicas, as a share above 0 and up to 1. */
  readonly wave?: number;
  /** Growth per day, as a share; negative values shrink. */
  readonly growth?: number;
}

const STARTUP: DurationRange = { leastMs: 3_000, mostMs: 15_000 };
const SHUTDOWN: DurationRange = { leastMs: 1_000, mostMs: 10_000 };
const PEAK_HOUR = 14;
/** Interval and scale-down stabilization of the HorizontalPodAutoscaler. */
const EVALUATION_MS = 60_000;
const STABILIZATION_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** Labels that differ between pods of one workload. */
const PER_POD_LABELS = new Set([
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'batch.kubernetes.io/job-completion-index',
]);

/**
 * The scenario that starts with an imported cluster: nodes and pods as they are, the pods' owners as workloads. Pods of
 * one owner with different templates become workloads of their own.
 */
export function importedScenario(
  name: string,
  objects: ClusterObjects,
  settings: ClusterSettings,
  trend: ReplicaTrend = {},
): Scenario {
  const nodes = new Set(objects.nodes.map((n) => n.name));
  const sets = new Map(objects.daemonSets.map((set) => [`${set.namespace}/${set.uid}`, set]));
  const groups = new Map<string, PodObject[]>();
  const keys = objects.pods.map((pod) => (isSimulated(pod, nodes) ? groupOf(pod) : undefined));
  objects.pods.forEach((pod, i) => {
    const key = keys[i];
    if (key !== undefined) getOrInsert(groups, key, () => []).push(pod);
  });
  const number = new Map([...groups.keys()].map((key, i) => [key, i]));
  const jobs = new ImportedJobs(objects);
  const context = { sets, names: workloadNames(objects), jobs, autoscalers: objects.autoscalers ?? [] };
  const apps = [...groups.values()].map((pods) => appOf(pods, { ...context, nowMs: objects.nowMs, trend }));
  const continued = new Set(
    apps.flatMap((app) =>
      app.kind === 'DaemonSet' && app.onlyOnImportedNodes === undefined ? (app.owners ?? []).map((o) => o.uid) : [],
    ),
  );
  const idle = objects.daemonSets.filter((set) => !continued.has(set.uid)).map(daemonApp);
  return {
    name,
    startMs: objects.nowMs,
    instanceTypes: objects.instanceTypes,
    options: objects.options,
    nodePools: objects.nodePools,
    apps: [...apps, ...idle, ...jobs.scheduled({ startup: STARTUP, shutdown: SHUTDOWN })],
    settings,
    start: { objects, appOfPod: keys.map((key) => (key === undefined ? undefined : number.get(key))) },
  };
}

/**
 * Equal for pods of the same owner and template. DaemonSet pods are grouped by owner and requests only: the DaemonSet
 * controller gives each one an affinity for its own node.
 */
function groupOf(pod: PodObject): string {
  const { namespace, name, labels, requests, constraints, priority, deletionCost, doNotDisrupt } = pod;
  const owner = controllerOf(pod);
  if (owner !== undefined && isDaemonPod(pod)) return JSON.stringify([namespace, owner.uid, requests]);
  const { doNotEvict, safeToEvict, localData, volumeClaims } = pod;
  const claims = owner?.kind === 'StatefulSet' ? [] : volumeClaims;
  const fields = [priority, deletionCost, doNotDisrupt, doNotEvict, safeToEvict, localData, claims];
  return JSON.stringify([namespace, owner?.uid ?? ['pod', name], requests, constraints, withoutOwn(labels), fields]);
}

function controllerOf({ owners }: PodObject): Owner | undefined {
  return owners.find((o) => o.controller);
}

function withoutOwn(labels: Labels): Labels {
  const shared = Object.entries(labels).filter(([key]) => !PER_POD_LABELS.has(key));
  return Object.fromEntries(shared.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Context {
  readonly sets: ReadonlyMap<string, DaemonSetObject>;
  readonly names: ReadonlyMap<string, string>;
  readonly jobs: ImportedJobs;
  readonly autoscalers: readonly AutoscalerObject[];
  readonly nowMs: number;
  readonly trend: ReplicaTrend;
}

/** Workload names by the UID of the pods' owner; a ReplicaSet has its Deployment's name. */
function workloadNames({ workloads }: ClusterObjects): ReadonlyMap<string, string> {
  return new Map(workloads.map(({ uid, name, owners }) => [uid, owners.find((o) => o.controller)?.name ?? name]));
}

function appOf(pods: readonly PodObject[], context: Context): App {
  const { sets, names, jobs, autoscalers, nowMs, trend } = context;
  const [pod] = pods;
  const owner = controllerOf(pod);
  const { namespace, labels, requests, constraints, priority, deletionCost, doNotDisrupt, owners } = pod;
  const { doNotEvict, safeToEvict, localData, volumeClaims } = pod;
  const base = {
    name: names.get(owner?.uid ?? '') ?? owner?.name ?? pod.name,
    namespace,
    labels: withoutOwn(labels),
    requests,
    constraints,
    ...(priority === undefined ? {} : { priority }),
    ...(deletionCost === undefined ? {} : { deletionCost }),
    ...(doNotDisrupt === undefined ? {} : { doNotDisrupt }),
    podFields: defined({ doNotEvict, safeToEvict, localData }),
    startup: STARTUP,
    shutdown: SHUTDOWN,
    owners,
  };
  if (isMirrorPod(pod)) return { ...base, kind: 'DaemonSet', onlyOnImportedNodes: true };
  if (isDaemonPod(pod)) {
    const set = sets.get(`${namespace}/${owner?.uid}`);
    // Pods of an older template stay where they are; new nodes get pods of the current one.
    return set !== undefined && isEqual(set.requests, requests)
      ? { ...base, labels: set.labels, constraints: set.constraints, kind: 'DaemonSet' }
      : { ...base, kind: 'DaemonSet', onlyOnImportedNodes: true };
  }
  if (owner?.kind === 'Job') return { ...base, kind: 'Job', volumeClaims, ...jobs.running(owner.uid, pods) };
  const wanted = pods.filter((p) => !p.terminating).length;
  const replicated = { ...base, rollouts: [], alignedScaleIn: false };
  if (owner?.kind === 'StatefulSet') {
    const volumeClaimsByPod = Object.fromEntries(pods.map((p) => [p.name, p.volumeClaims]));
    if (areOrdinals(owner.name, pods))
      return {
        ...replicated,
        name: owner.name,
        kind: 'StatefulSet',
        replicas: constant(wanted),
        volumeClaimsByPod,
      };
  }
  const limits = autoscalers.find(
    ({ namespace: own, targetName }) => own === namespace && targetName === base.name && owner?.kind === 'ReplicaSet',
  );
  const curve = owner?.kind === 'ReplicaSet' ? trendOf(wanted, nowMs, trend, limits) : constant(wanted);
  const bare = owner === undefined ? ({ barePod: true } as const) : {};
  return { ...replicated, ...bare, kind: 'Deployment', replicas: curve, volumeClaims };
}

function isEqual(a: Resources, b: Resources): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** A DaemonSet without pods. */
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

/** The pods are named 0 to n-1 without a gap. */
function areOrdinals(name: string, pods: readonly PodObject[]): boolean {
  const names = new Set(pods.map((p) => p.name));
  return pods.every((p, i) => !p.terminating && names.has(`${name}-${i}`));
}

function constant(base: number): ReplicaCurve {
  return { base, everyMs: EVALUATION_MS, steps: [], growthPerHour: 0, noise: 0, stabilizationMs: 0 };
}

/** A curve through the current number of replicas, within the limits of its HorizontalPodAutoscaler. */
function trendOf(
  replicas: number,
  nowMs: number,
  { wave, growth = 0 }: ReplicaTrend,
  autoscaler: AutoscalerObject | undefined,
): ReplicaCurve {
  const growthPerHour = (growth * replicas) / 24;
  const curve = { ...constant(replicas), growthPerHour, ...limitsOf(autoscaler, replicas) };
  if (wave === undefined) return { ...curve, stabilizationMs: growth === 0 ? 0 : STABILIZATION_MS };
  const now = Math.cos(2 * Math.PI * ((nowMs % DAY_MS) / DAY_MS - PEAK_HOUR / 24));
  const base = replicas / Math.max(1 + wave * now, LEAST_SHARE);
  return {
    ...curve,
    base,
    stabilizationMs: STABILIZATION_MS,
    wave: { amplitude: wave * base, peakHour: PEAK_HOUR, weekend: 1 },
  };
}

/** Wide enough for the current number, which an older ReplicaSet may take beyond them. */
function limitsOf(
  autoscaler: AutoscalerObject | undefined,
  replicas: number,
): Pick<ReplicaCurve, 'minReplicas' | 'maxReplicas'> {
  if (autoscaler === undefined) return {};
  const { minReplicas, maxReplicas } = autoscaler;
  return { minReplicas: Math.min(minReplicas, replicas), maxReplicas: Math.max(maxReplicas, replicas) };
}

/** Avoids division by zero in the trough of a 100 % wave. */
const LEAST_SHARE = 0.1;
