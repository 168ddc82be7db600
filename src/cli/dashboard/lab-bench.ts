import { availableParallelism } from 'node:os';
import type { ClusterObjects } from '../../engine/cluster/objects.ts';
import { BUILT_IN_POLICIES } from '../../lab/built-in-policies.ts';
import { type Comparison, compared } from '../../lab/comparison.ts';
import { type Experiment, jobsOf } from '../../lab/experiment.ts';
import { importedCluster } from '../../lab/imported-cluster.ts';
import type { LabRequest } from '../../web/api.ts';
import type { LabBench } from '../../web/server/dashboard-source.ts';
import { policiesOf } from '../experiment/policies.ts';
import { runJobs, tasksOf } from '../experiment/threads.ts';
import { libraryNames } from '../experiment/workload-library.ts';
import { type WorkloadSource, workloadsOf } from '../experiment/workloads.ts';

/** Limits for runs that a person waits for in the browser. */
const MAX_SEEDS = 10;
const MAX_DAYS = 7;

/** Comparisons beside a demo: its workload and policy, which may be files, and all that are built in. */
export function demoLab(workload: string, policy: string): LabBench {
  const loaded = (name: string) => workloadsOf([name]);
  return bench(ownFirst(workload, libraryNames()), ownFirst(policy, policyNames()), loaded);
}

/** How the load of the cluster shown goes on in a simulation. */
const OWN = {
  'this cluster': {},
  'this cluster, daily swing of 30 %': { wave: 0.3 },
  'this cluster, growing 5 % a day': { growth: 0.05 },
} as const;

/** Comparisons that start with the cluster shown, or with a workload of the library. */
export function clusterLab(objects: () => ClusterObjects | undefined): LabBench {
  const loaded = (name: string) => {
    if (!Object.hasOwn(OWN, name)) return workloadsOf([name]);
    const now = objects();
    if (now === undefined) throw new Error('the cluster is not known yet');
    return workloadsOf(undefined, importedCluster(now, OWN[name as keyof typeof OWN]));
  };
  return bench([...Object.keys(OWN), ...libraryNames()], policyNames(), loaded);
}

function bench(
  workloads: readonly string[],
  policies: readonly string[],
  loaded: (name: string) => Promise<readonly WorkloadSource[]>,
): LabBench {
  return {
    choices: { workloads, policies, mostSeeds: MAX_SEEDS, mostDays: MAX_DAYS },
    run: async (request, progressed, stop) => run(request, await loaded(request.workload), progressed, stop),
  };
}

function policyNames(): readonly string[] {
  return BUILT_IN_POLICIES.map(({ name }) => name);
}

function ownFirst(own: string, names: readonly string[]): readonly string[] {
  return [own, ...names.filter((name) => name !== own)];
}

async function run(
  { workload, policies: names, seeds, days }: LabRequest,
  sources: readonly WorkloadSource[],
  progressed: (share: number) => void,
  stop: AbortSignal,
): Promise<Comparison> {
  const workloads = sources.length === 1 ? sources.map((source) => ({ ...source, name: workload })) : sources;
  const policies = await policiesOf({ policies: names, base: 'rfc' });
  const experiment: Experiment = {
    workloads: workloads.map(({ name, digest, blocks }) => ({ name, digest, blocks })),
    policies,
    firstSeed: 1,
    seeds,
    days,
  };
  const tasks = tasksOf(jobsOf(experiment));
  // One processor is left for the rest of this process.
  const count = Math.max(1, availableParallelism() - 1);
  const startedMs = performance.now();
  const { results, stopped } = await runJobs(tasks, { data: workloads, count }, stop, (done, underWay, left) => {
    const leftMs = left();
    const elapsedMs = performance.now() - startedMs;
    progressed(leftMs === undefined ? (done + underWay) / tasks.length : elapsedMs / (elapsedMs + leftMs));
  });
  if (stopped) throw new Error('cancelled');
  return compared(experiment, results);
}
