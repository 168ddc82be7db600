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

type Progressed = (
  done: number,
  /** Summed shares of jobs under way. */
  underWay: number,
  /** The time until all of these and of `later` are done. */
  leftMs: (later?: readonly Job[]) => number | undefined,
) => void;

/** Runs jobs on threads that are started once, and then closed. */
export async function runJobs(
  tasks: readonly WorkerTask[],
  threads: Threads,
  stop: AbortSignal,
  progressed: Progressed,
): Promise<JobsRun> {
  const own = new JobThreads(threads);
  try {
    return await own.run(tasks, stop, progressed);
  } finally {
    await own.close();
  }
}

/** Threads that stay warm from one set of jobs to the next, so that the owner stays responsive. */
export class JobThreads {
  private readonly threads: Threads;
  private readonly workers: Worker[] = [];
  private readonly times: RunTimes;
  private failed: (error: unknown) => void = () => {};

  constructor(threads: Threads) {
    this.threads = threads;
    this.times = new RunTimes(threads.count);
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }

  /** Each thread takes the next job when it is free. After a stop it returns the results so far, and can run no more. */
  async run(tasks: readonly WorkerTask[], stop: AbortSignal, progressed: Progressed): Promise<JobsRun> {
    const { module = WORKER, data, count } = this.threads;
    const { times, workers } = this;
    const results: JobResult[] = [];
    const underWay = new Map<number, number>();
    const waiting = [...tasks];
    const { promise: over, resolve, reject } = Promise.withResolvers<void>();
    stop.addEventListener('abort', () => resolve());
    this.failed = reject;
    while (workers.length < Math.min(count, tasks.length))
      workers.push(new Worker(module, { workerData: data }).on('error', (error) => this.failed(error)));
    const quiet = workers.slice(0, tasks.length).map(listening);
    try {
      if (quiet.length > 0) await over;
    } finally {
      for (const each of quiet) each();
    }
    return { results, stopped: results.length < tasks.length };

    /** Returns how to stop listening. */
    function listening(worker: Worker): () => void {
      let run = next(worker);
      const listen = (answer: WorkerAnswer) => {
        if ('error' in answer) return reject(answer.error);
        if ('outgrown' in answer) return reject(new WorkloadTooLarge(answer.outgrown));
        const nowMs = performance.now();
        if ('share' in answer) {
          underWay.set(answer.number, answer.share);
          times.progressed(run!, answer.share, nowMs, answer.workedMs);
        } else {
          underWay.delete(answer.result.job);
          results.push(answer.result);
          times.progressed(run!, 1, nowMs, answer.workedMs);
          if (results.length === tasks.length) resolve();
          else run = next(worker);
        }
        const shares = [...underWay.values()].reduce((sum, share) => sum + share, 0);
        progressed(results.length, shares, (later = []) => {
          const jobs = waiting.map(({ job }) => job);
          return times.leftMs([...jobs, ...later], nowMs);
        });
      };
      worker.on('message', listen);
      return () => worker.off('message', listen);
    }

    function next(worker: Worker): Run | undefined {
      const task = takeNext(waiting, tasks[0], times.expectedWork());
      if (task === undefined) return undefined;
      worker.postMessage(task);
      return times.started(task.job, performance.now());
    }
  }
}

/** Beside this file, with the same extension: .ts from a clone, .js when built. */
const WORKER = new URL(`./worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/** Seed by seed, and for each seed first the first policy on all workloads: it is often the fastest. */
export function tasksOf(jobs: readonly Job[], numbers: Iterable<number> = jobs.keys()): readonly WorkerTask[] {
  const [first] = jobs;
  const tasks = Array.from(numbers, (number) => ({ number, job: jobs[number] }));
  const isLater = ({ job: { policy } }: WorkerTask) => (policy.name === first.policy.name ? 0 : 1);
  return tasks.sort((a, b) => a.job.seed - b.job.seed || isLater(a) - isLater(b) || a.number - b.number);
}

/**
 * The first of the waiting tasks, which are sorted as above. Of the first seed, then that of the shortest workload, and of
 * its policies the one that takes longest: from many short runs the time of the long ones can be told.
 */
export function takeNext(
  waiting: WorkerTask[],
  { job: start }: WorkerTask,
  expected: ((job: Job) => number) | undefined,
): WorkerTask | undefined {
  const [first] = waiting;
  const isOther = ({ job }: WorkerTask) => job.seed === start.seed && job.policy.name !== start.policy.name;
  if (first === undefined || expected === undefined || !isOther(first)) return waiting.shift();
  const size = ({ job }: WorkerTask) => expected({ ...job, policy: start.policy });
  const next = waiting
    .filter(isOther)
    .reduce((a, b) => ((size(b) - size(a) || expected(a.job) - expected(b.job)) < 0 ? b : a));
  waiting.splice(waiting.indexOf(next), 1);
  return next;
}
