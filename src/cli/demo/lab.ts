import { availableParallelism } from 'node:os';
import { BUILT_IN_POLICIES } from '../../lab/built-in-policies.ts';
import { type Comparison, compared } from '../../lab/comparison.ts';
import { type Experiment, jobsOf } from '../../lab/experiment.ts';
import type { LabRequest } from '../../web/api.ts';
import type { LabBench } from '../../web/server/dashboard-source.ts';
import { policiesOf } from '../experiment/policies.ts';
import { runJobs, tasksOf, workerModule } from '../experiment/threads.ts';
import { libraryNames } from '../experiment/workload-library.ts';
import { workloadsOf } from '../experiment/workloads.ts';

/** Limits for interactive use. */
const MOST_SEEDS = 10;
const MOST_DAYS = 7;

/** Comparisons beside a demo: its workload and policy, which may be files, and all built-in ones. */
export function demoLab(workload: string, policy: string): LabBench {
  const withOwn = (own: string, names: readonly string[]) => [own, ...names.filter((name) => name !== own)];
  return {
    choices: {
      workloads: withOwn(workload, libraryNames()),
      policies: withOwn(
        policy,
        BUILT_IN_POLICIES.map(({ name }) => name),
      ),
      mostSeeds: MOST_SEEDS,
      mostDays: MOST_DAYS,
    },
    run,
  };
}

async function run(
  { workload, policies: names, seeds, days }: LabRequest,
  progressed: (share: number) => void,
  stop: AbortSignal,
): Promise<Comparison> {
  const workloads = await workloadsOf([workload]);
  const policies = await policiesOf({ policies: names, base: 'rfc' });
  const experiment: Experiment = {
    workloads: workloads.map(({ name, digest, blocks }) => ({ name, digest, blocks })),
    policies,
    firstSeed: 1,
    seeds,
    days,
  };
  const jobs = jobsOf(experiment);
  const tasks = tasksOf(jobs, [...jobs.keys()]);
  // One processor is left for the running cluster.
  const count = Math.max(1, availableParallelism() - 1);
  const threads = { module: workerModule(), data: workloads, count };
  const { results } = await runJobs(tasks, threads, stop, (done, underWay) =>
    progressed((done + underWay) / tasks.length),
  );
  return compared(experiment, results);
}
