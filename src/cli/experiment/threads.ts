import { Worker } from 'node:worker_threads';
import type { Job, JobResult } from '../../lab/run-summary.ts';
import { WorkloadTooLarge } from '../../simulator/pod-limits.ts';
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
  /** Jobs done, and the summed shares of others. */
  progressed: (done: number, underWay: number) => void,
): Promise<JobsRun> {
  const results: JobResult[] = [];
  const workers: Worker[] = [];
  const underWay = new Map<number, number>();
  const waiting = tasks.values();
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
    worker.on('error', reject);
    worker.on('message', (answer: WorkerAnswer) => {
      if ('error' in answer) return reject(answer.error);
      if ('outgrown' in answer) return reject(new WorkloadTooLarge(answer.outgrown));
      if ('share' in answer) underWay.set(answer.number, answer.share);
      else {
        underWay.delete(answer.result.job);
        results.push(answer.result);
      }
      progressed(
        results.length,
        [...underWay.values()].reduce((sum, share) => sum + share, 0),
      );
      if ('share' in answer) return;
      if (results.length === tasks.length) resolve();
      else next(worker);
    });
    next(worker);
    return worker;
  }

  function next(worker: Worker): void {
    const { value, done } = waiting.next();
    if (done !== true) worker.postMessage(value);
  }
}

/** Beside this file, with the same extension: .ts from a clone, .js when built. */
const WORKER = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export function tasksOf(jobs: readonly Job[], numbers: Iterable<number> = jobs.keys()): readonly WorkerTask[] {
  return Array.from(numbers, (number) => ({ number, job: jobs[number] }));
}
