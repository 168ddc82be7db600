import type { PodTemplate } from '../../engine/cluster/objects.ts';
import { workloadNames } from '../../engine/disruption/workloads.ts';
import type { ReplicaCurve } from '../../simulator/replica-curve.ts';
import type { App, JobApp, PriceChange, ReplicatedApp, Scenario, TraceRun } from '../../simulator/scenario.ts';
import type { RecordedChange } from './recorded-change.ts';

const SECOND_MS = 1000;
const STARTUP = { leastMs: 3_000, mostMs: 15_000 };
const SHUTDOWN = { leastMs: 1_000, mostMs: 10_000 };

type Steps = ReplicaCurve['steps'];

/**
 * The imported cluster with the load of its history: replicas as they were wanted, pods of Jobs when they began and for as long
 * as they ran, prices as they changed. Nodes and evictions are left to the simulation. `templates`: pods of workloads by name.
 */
export function replayed(
  imported: Scenario,
  changes: readonly RecordedChange[],
  templates: ReadonlyMap<string, PodTemplate>,
): Scenario {
  const steps = stepsOf(changes);
  const runs = runsOf(changes);
  const names = namesOfApps(imported);
  const apps = imported.apps
    .map((app, i) => followed(app, { name: names[i], names, apps: imported.apps, steps, runs }))
    // Their Jobs are in the history.
    .filter((app) => app.kind !== 'Job' || app.schedule === undefined);
  const continued = new Set(names);
  const later = [...steps].flatMap(([name, own]) =>
    continued.has(name) ? [] : deploymentOf(name, own, templates.get(name)),
  );
  const jobs = [...runs].flatMap(([name, { began }]) => jobOf(name, began, templates.get(name)));
  const settings = { ...imported.settings, priceChanges: priceChangesOf(changes) };
  return { ...imported, name: 'history', apps: [...apps, ...later, ...jobs], settings };
}

export function lengthMsOf(changes: readonly RecordedChange[]): number {
  return (changes.at(-1)?.t ?? 0) * SECOND_MS;
}

function stepsOf(changes: readonly RecordedChange[]): ReadonlyMap<string, Steps> {
  const steps = new Map<string, { afterMs: number; replicas: number }[]>();
  for (const { t, replicas = {} } of changes) {
    for (const [name, wanted] of Object.entries(replicas)) {
      const own = steps.get(name) ?? [];
      own.push({ afterMs: t * SECOND_MS, replicas: wanted });
      steps.set(name, own);
    }
  }
  return steps;
}

interface Runs {
  /** Pods that began in the history. */
  readonly began: TraceRun[];
  /** Run times of pods that ran when it began. */
  readonly runningMs: number[];
}

function runsOf(changes: readonly RecordedChange[]): ReadonlyMap<string, Runs> {
  const ranMs = new Map<number, number>();
  const cut = new Set<number>();
  for (const { ended = [], cut: evicted = [] } of changes) {
    for (const [number, seconds] of ended) ranMs.set(number, seconds * SECOND_MS);
    for (const number of evicted) cut.add(number);
  }
  const runs = new Map<string, Runs>();
  const longMs = 2 * lengthMsOf(changes);
  for (const { began = [] } of changes) {
    for (const [number, name, startS] of began) {
      // The Job began another pod, which has the whole work.
      if (cut.has(number)) continue;
      const own = runs.get(name) ?? { began: [], runningMs: [] };
      runs.set(name, own);
      const ms = ranMs.get(number);
      if (startS < 0) own.runningMs.push(ms ?? longMs - startS * SECOND_MS);
      else
        own.began.push({ afterMs: startS * SECOND_MS, pods: 1, ...(ms === undefined ? {} : { runTime: exactly(ms) }) });
    }
  }
  for (const { began } of runs.values()) began.sort((a, b) => a.afterMs - b.afterMs);
  return runs;
}

function exactly(ms: number): JobApp['runTime'] {
  return { leastMs: ms, mostMs: ms };
}

/** Names of the workloads of imported apps; '' for those without pods. */
function namesOfApps({ apps, start }: Scenario): readonly string[] {
  const names = apps.map(() => '');
  if (start === undefined) return names;
  const nameOf = workloadNames(start.objects.workloads);
  start.appOfPod.forEach((app, pod) => {
    if (app !== undefined && names[app] === '') names[app] = nameOf(start.objects.pods[pod]);
  });
  return names;
}

interface Context {
  readonly name: string;
  readonly names: readonly string[];
  readonly apps: readonly App[];
  readonly steps: ReadonlyMap<string, Steps>;
  readonly runs: ReadonlyMap<string, Runs>;
}

function followed(app: App, { name, names, apps, steps, runs }: Context): App {
  if (app.kind === 'DaemonSet' || name === '') return app;
  if (app.kind === 'Job') {
    const { runningMs = [] } = runs.get(name) ?? {};
    const known = runningMs.length === 0 ? {} : { runTime: spanOf(runningMs) };
    return { ...app, remaining: 0, ...known };
  }
  const own = steps.get(name);
  if (own === undefined) return app;
  // Pods of one workload with different templates: the largest group changes.
  const groups = apps.filter((a, i): a is ReplicatedApp => names[i] === name && isReplicated(a));
  const largest = groups.reduce((a, b) => (b.replicas.base > a.replicas.base ? b : a));
  if (app !== largest) return app;
  const others = groups.reduce((sum, a) => sum + (a === app ? 0 : a.replicas.base), 0);
  return {
    ...app,
    replicas: { ...app.replicas, steps: own.map((s) => ({ ...s, replicas: Math.max(0, s.replicas - others) })) },
  };
}

function isReplicated(app: App): app is ReplicatedApp {
  return app.kind === 'Deployment' || app.kind === 'StatefulSet';
}

function spanOf(ms: readonly number[]): JobApp['runTime'] {
  return { leastMs: Math.min(...ms), mostMs: Math.max(...ms) };
}

/** Without a pod that was ever seen there is nothing to simulate. */
function baseOf(workload: string, template: PodTemplate) {
  const [namespace, name] = workload.slice(workload.indexOf(' ') + 1).split('/');
  return { ...template, namespace, name, startup: STARTUP, shutdown: SHUTDOWN };
}

function deploymentOf(workload: string, steps: Steps, template: PodTemplate | undefined): readonly App[] {
  if (template === undefined) return [];
  const replicas: ReplicaCurve = { base: 0, everyMs: 60_000, steps, growthPerHour: 0, noise: 0, stabilizationMs: 0 };
  const kind = workload.startsWith('StatefulSet ') ? 'StatefulSet' : 'Deployment';
  return [{ ...baseOf(workload, template), kind, replicas, rollouts: [], alignedScaleIn: false }];
}

function jobOf(workload: string, runs: readonly TraceRun[], template: PodTemplate | undefined): readonly App[] {
  if (template === undefined || runs.length === 0) return [];
  const none = { firstMs: 0, jitterMs: 0, pods: 0, runTime: exactly(0) };
  return [{ ...baseOf(workload, template), kind: 'Job', ...none, runs }];
}

function priceChangesOf(changes: readonly RecordedChange[]): readonly PriceChange[] {
  return changes.flatMap(({ t, prices = [] }) =>
    prices.map(([instanceTypes, capacityType, factor]) => ({
      afterMs: t * SECOND_MS,
      instanceTypes,
      capacityType,
      factor,
    })),
  );
}

/** Figures of the cluster while it was recorded. */
export interface RecordedFigures {
  readonly days: number;
  readonly costDollars: number;
  readonly evictions: number;
  readonly lostPodHours: number;
}

export function recordedFigures(changes: readonly RecordedChange[]): RecordedFigures {
  let costDollars = 0;
  let evictions = 0;
  let lostPodHours = 0;
  for (const { seconds, nodes } of nodesOverTime(changes))
    for (const { price } of nodes) costDollars += (price * seconds) / 3600;
  for (const { evicted = {}, lostHours = 0 } of changes) {
    for (const pods of Object.values(evicted)) evictions += pods;
    lostPodHours += lostHours;
  }
  const days = Math.round((lengthMsOf(changes) / 86_400_000) * 1e4) / 1e4;
  return { days, costDollars, evictions, lostPodHours };
}

export interface RecordedNode {
  readonly pool: string;
  readonly type: string;
  readonly capacityType: string;
  /** Dollars per hour. */
  readonly price: number;
}

/** The nodes from each change to the next; the list is valid until then. */
export function* nodesOverTime(
  changes: readonly RecordedChange[],
): Generator<{ readonly seconds: number; readonly nodes: Iterable<RecordedNode> }> {
  const nodes = new Map<string, RecordedNode>();
  let beforeS = 0;
  for (const { t, up = [], down = [], prices = [] } of changes) {
    yield { seconds: t - beforeS, nodes: nodes.values() };
    beforeS = t;
    for (const name of down) nodes.delete(name);
    for (const [type, capacityType, factor] of prices)
      for (const [name, node] of nodes)
        if (node.type === type && node.capacityType === capacityType)
          nodes.set(name, { ...node, price: node.price * factor });
    for (const [name, pool, type, , capacityType, price] of up) nodes.set(name, { pool, type, capacityType, price });
  }
}
