import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { runOne } from '../../lab/run-one.ts';
import type { Job, JobResult } from '../../lab/run-summary.ts';
import { WorkloadTooLarge } from '../../simulator/pod-limits.ts';
import type { Scenario } from '../../simulator/scenario.ts';
import { scenarioOf as parsedScenario, type WorkloadSource } from './workloads.ts';

/** To a thread that runs simulations. */
export interface WorkerTask {
  readonly number: number;
  readonly job: Job;
}

/** An error is a bug here: user input was checked before. */
export type WorkerAnswer =
  | { readonly result: JobResult; readonly workedMs: number }
  | { readonly error: unknown }
  /** Message for the user. */
  | { readonly outgrown: string }
  /** How much of the job is done, on the way; 0 when it begins. `workedMs`: of this thread since it was started. */
  | { readonly number: number; readonly share: number; readonly workedMs: number };

const workloads = new Map((workerData as readonly WorkloadSource[]).map((each) => [each.name, each]));
const scenarios = new Map<string, Scenario>();

parentPort?.on('message', async ({ number, job }: WorkerTask) => {
  const answer: WorkerAnswer = await run(number, job).then(
    (result) => ({ result, workedMs: workedMs() }),
    // Between threads an error loses its class.
    (error: unknown) =>
      error instanceof WorkloadTooLarge ? { outgrown: `workload ${job.workload}: ${error.message}` } : { error },
  );
  parentPort?.postMessage(answer);
});

async function run(number: number, job: Job): Promise<JobResult> {
  const scenario = await scenarioOf(job.workload);
  const progressed = (share: number) =>
    parentPort?.postMessage({ number, share, workedMs: workedMs() } satisfies WorkerAnswer);
  const startedMs = performance.now();
  progressed(0);
  const summary = await runOne(job, scenario, progressed);
  return { job: number, summary, elapsedMs: performance.now() - startedMs };
}

/** Processor time where Node can tell it: on a busy machine it is what a simulation takes, however long that lasts. */
function workedMs(): number {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function scenarioOf(name: string): Promise<Scenario> {
  const known = scenarios.get(name);
  if (known !== undefined) return known;
  const scenario = await parsedScenario(workloads.get(name)!);
  scenarios.set(name, scenario);
  return scenario;
}
