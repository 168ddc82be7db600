import { durationMs } from '../config/duration.ts';
import { InputError } from '../config/input-error.ts';
import type { WorkloadApp } from '../config/workload-file.ts';
import type { PodObject } from '../engine/cluster/objects.ts';
import { objectName, type UndecodableObject } from '../engine/cluster/undecodable.ts';
import { compile } from '../engine/scheduling/compile.ts';
import { Simulation } from '../engine/scheduling/simulation.ts';
import { DEFAULT_SETTINGS } from '../engine/settings.ts';
import { ObjectCollection } from '../kube/decode/object-collection.ts';
import { DocumentReader } from '../kube/read/document-reader.ts';
import { SnapshotHeader } from '../kube/read/snapshot-header.ts';
import type { ReplicaCurve } from '../simulator/replica-curve.ts';
import type { App, Scenario, TraceRun } from '../simulator/scenario.ts';
import { durationRangeOf } from './cluster-settings.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** Workloads of the file, one per copy. Kubernetes parts are decoded as such. */
export function appsOf(given: readonly WorkloadApp[], source: string): App[] {
  const collection = new ObjectCollection();
  const reader = new DocumentReader(source, collection, new SnapshotHeader());
  const named = given.flatMap((app) => copiesOf(app).map((name) => ({ app, name })));
  for (const { app, name } of named) reader.item(podOf(app, name), `apps ${name}`);
  const { pods, undecodable } = collection.finish(0, new SnapshotHeader().options).objects;
  refuseUndecodable(undecodable, source);
  return named.map(({ app, name }, i) => appOf(app, name, pods[i]));
}

/** In a cluster such an object is set aside; in a workload file it is an error. */
export function refuseUndecodable(objects: readonly UndecodableObject[], source: string): void {
  const [first, ...others] = objects.map((object) => `${source}: ${objectName(object)}: ${object.problem}`);
  if (first !== undefined) throw new InputError(first, others);
}

function copiesOf({ name, copies = 1 }: WorkloadApp): string[] {
  return copies === 1 ? [name] : Array.from({ length: copies }, (_, i) => `${name}-${i + 1}`);
}

/** `$(name)` in the spec becomes the workload's name, which is also its label `app`. */
function podOf(app: WorkloadApp, name: string): JsonObject {
  const spec = JSON.parse(JSON.stringify(app.spec ?? {}).replaceAll('$(name)', name)) as JsonObject;
  const spread = spec.topologySpreadConstraints;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: app.namespace ?? 'default', labels: { app: name, ...app.labels } },
    spec: {
      ...spec,
      ...(Array.isArray(spread) ? { topologySpreadConstraints: spread.map((s) => withSelector(s, name)) } : {}),
      containers: [{ name: 'main', resources: { requests: app.requests ?? {} } }],
    },
  };
}

/** A spread constraint without a selector selects the workload's own pods. */
function withSelector(constraint: unknown, name: string): unknown {
  if (typeof constraint !== 'object' || constraint === null || 'labelSelector' in constraint) return constraint;
  return { ...constraint, labelSelector: { matchLabels: { app: name } } };
}

function appOf(app: WorkloadApp, name: string, { namespace, labels, requests, constraints }: PodObject): App {
  const base = {
    name,
    namespace,
    labels,
    requests,
    constraints,
    ...(app.priority === undefined ? {} : { priority: app.priority }),
    ...(app.deletionCost === undefined ? {} : { deletionCost: String(app.deletionCost) }),
    ...(app.doNotDisrupt === undefined ? {} : { doNotDisrupt: app.doNotDisrupt }),
    startup: durationRangeOf(app.startup ?? '3s..15s'),
    shutdown: durationRangeOf(app.shutdown ?? '1s..10s'),
    ...(app.pdb === undefined ? {} : { budget: app.pdb }),
  };
  switch (app.kind) {
    case 'DaemonSet':
      return { ...base, kind: 'DaemonSet' };
    case 'Job':
    case 'CronJob':
      return {
        ...base,
        kind: 'Job',
        firstMs: durationMs(app.first ?? '0s'),
        ...(app.every === undefined ? {} : { everyMs: durationMs(app.every) }),
        jitterMs: durationMs(app.jitter ?? '0s'),
        pods: app.pods ?? 1,
        runTime: durationRangeOf(app.runTime ?? '1m'),
        ...(app.runs === undefined ? {} : { runs: runsOf(app.runs) }),
      };
    default:
      return {
        ...base,
        kind: app.kind,
        replicas: curveOf(app.replicas ?? { base: 1 }),
        rollouts: (app.rollouts ?? []).map(({ after, every }) => ({
          afterMs: durationMs(after),
          ...(every === undefined ? {} : { everyMs: durationMs(every) }),
        })),
        alignedScaleIn: app.alignedScaleIn ?? false,
      };
  }
}

/** Lines such as `300 2x600 1x3900..7200 1x-`: seconds, then pods times run time. */
function runsOf(text: string): readonly TraceRun[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [start, ...runs] = line.split(' ');
      return runs.map((run): TraceRun => {
        const [pods, time] = run.split('x');
        const [leastMs, mostMs = leastMs] = time.split('..').map((seconds) => 1000 * Number(seconds));
        const runTime = time === '-' ? {} : { runTime: { leastMs, mostMs } };
        return { afterMs: 1000 * Number(start), pods: Number(pods), ...runTime };
      });
    })
    .sort((a, b) => a.afterMs - b.afterMs);
}

function curveOf(given: NonNullable<WorkloadApp['replicas']>): ReplicaCurve {
  const { wave, bursts } = given;
  return {
    base: given.base,
    everyMs: durationMs(given.every ?? '1m'),
    ...(wave === undefined
      ? {}
      : { wave: { amplitude: wave.amplitude, peakHour: wave.peakHour ?? 14, weekend: wave.weekend ?? 1 } }),
    steps: (given.steps ?? []).map(({ after, replicas }) => ({ afterMs: durationMs(after), replicas })),
    ...(given.repeat === undefined ? {} : { repeatMs: durationMs(given.repeat) }),
    growthPerHour: given.growthPerHour ?? 0,
    noise: given.noise ?? 0,
    stabilizationMs: durationMs(given.settle ?? '5m'),
    ...(bursts === undefined
      ? {}
      : { bursts: { perDay: bursts.perDay, size: bursts.size, lengthMs: durationMs(bursts.length) } }),
  };
}

/** A pod that no pool can run would be pending forever and make the run meaningless. */
export function refuseImpossiblePods(scenario: Scenario, source: string): void {
  const { apps, nodePools, instanceTypes, options, startMs } = scenario;
  const one = apps.filter((app) => app.kind !== 'DaemonSet');
  const daemons = apps.filter((app) => app.kind === 'DaemonSet');
  const cluster = compile(
    {
      nowMs: startMs,
      options,
      instanceTypes,
      nodePools,
      pods: one.map((app) => pendingPod(app)),
      daemonSets: daemons.map((app) => ({ ...app, uid: app.name })),
      nodes: [],
      nodeClaims: [],
      podDisruptionBudgets: [],
      persistentVolumes: [],
      persistentVolumeClaims: [],
      storageClasses: [],
      csiNodes: [],
      services: [],
      podTemplates: [],
      capacityBuffers: [],
      nodeOverlays: [],
      namespaces: [],
      workloads: [],
      undecodable: [],
    },
    DEFAULT_SETTINGS,
  );
  new Simulation(cluster).removing([], ({ unplaced, claims }) => {
    const launched = new Set(claims.flatMap((claim) => claim.pods));
    const impossible = one.find((_, i) => unplaced.includes(i) || !launched.has(i));
    if (impossible === undefined) return;
    const { cpu = 0, memory = 0, ...others } = impossible.requests;
    const more = Object.entries(others).map(([resource, amount]) => `, ${amount} ${resource}`);
    const size = `${cpu / 1000} cpu and ${(memory / 2 ** 30).toFixed(2)} GiB${more.join('')}`;
    throw new InputError(
      `${source}: apps: ${impossible.name}: a pod of ${size}: allowed: one that some instance type of the NodePools can run, by its size, its spec and their taints and limits`,
    );
  });
}

function pendingPod(app: App): PodObject {
  const { namespace, name, labels, requests, constraints, priority } = app;
  return {
    namespace,
    name,
    uid: name,
    createdMs: 0,
    terminating: false,
    labels,
    owners: [],
    nodeName: '',
    nominatedNodeName: '',
    phase: 'Pending',
    unschedulable: true,
    ready: '',
    priority,
    requests,
    constraints,
    volumeClaims: [],
  };
}
