import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { Job, JobResult } from '../../lab/run-summary.ts';
import { WorkloadTooLarge } from '../../simulator/pod-limits.ts';
import { type Run, RunTimes } from './run-times.ts';
import type { WorkerAnswer, WorkerTask } from './worker.ts';

export interface Threads {
  /** A module that answers each WorkerTask with a WorkerAnswer; by default, simulations. */
  readonly module?: URL;
  /** What each of them is given at its start. */
  readonly data: unknown;
  readonly count: number;
}

export interface JobsRun {
  readonly results: readonly JobResult[];
  /** Whether jobs were left out. */
  readonly stopped: boolean;
}

/**
 * Runs jobs on threads, each taking the next when it is free, so that this one stays responsive. After a stop it
 * returns the results so far.
 */
export async function runJobs(
  tasks: readonly WorkerTask[],
  { module = WORKER, data, count }: Threads,
  stop: AbortSignal,
  /** Jobs done, the summed shares of others, and the time until all of these and of `later` are done. */
  progressed: (done: number, underWay: number, leftMs: (later?: readonly Job[]) => number | undefined) => void,
  /** Of earlier jobs too, if others were run before. */
  times = new RunTimes(Math.min(count, tasks.length)),
): Promise<JobsRun> {
  const results: JobResult[] = [];
  const workers: Worker[] = [];
  const underWay = new Map<number, number>();
  let begun = 0;
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => resolve());
  try {
    for (let i = 0; i < Math.min(count, tasks.length); i++) workers.push(start());
    if (workers.length > 0) await over;
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return { results, stopped: results.length < tasks.length };

  function start(): Worker {
    const worker = new Worker(module, { workerData: data });
    let run: Run | undefined;
    worker.on('error', reject);
    worker.on('message', (answer: WorkerAnswer) => {
      if ('error' in answer) return reject(answer.error);
      if ('outgrown' in answer) return reject(new WorkloadTooLarge(answer.outgrown));
      const nowMs = performance.now();
      if ('share' in answer) {
        underWay.set(answer.number, answer.share);
        times.progressed(run!, answer.share, nowMs);
      } else {
        underWay.delete(answer.result.job);
        results.push(answer.result);
        times.progressed(run!, 1, nowMs);
        if (results.length === tasks.length) resolve();
        else run = next(worker);
      }
      const shares = [...underWay.values()].reduce((sum, share) => sum + share, 0);
      progressed(results.length, shares, (later = []) => {
        const waiting = tasks.slice(begun).map(({ job }) => job);
        return times.leftMs([...waiting, ...later], nowMs);
      });
    });
    run = next(worker);
    return worker;
  }

  function next(worker: Worker): Run | undefined {
    if (begun === tasks.length) return undefined;
    const task = tasks[begun++];
    worker.postMessage(task);
    return times.started(task.job, performance.now());
  }
}

/** Beside this file, with the same extension: .ts from a clone, .js when built. */
const WORKER = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * Seed by seed, and for each seed first all policies on one workload and one policy on all workloads: from these the time of
 * the others can be told.
 */
export function tasksOf(jobs: readonly Job[], numbers: Iterable<number> = jobs.keys()): readonly WorkerTask[] {
  const [first] = jobs;
  const tasks = Array.from(numbers, (number) => ({ number, job: jobs[number] }));
  const tells = ({ job: { workload, policy } }: WorkerTask) =>
    workload === first.workload || policy.name === first.policy.name ? 0 : 1;
  return tasks.sort((a, b) => a.job.seed - b.job.seed || tells(a) - tells(b) || a.number - b.number);
}
