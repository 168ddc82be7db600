import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerAnswer, WorkerTask } from '../../src/cli/experiment/worker.ts';
import { fakeRun } from './lab.ts';

/** A thread that runs no simulations: policies called `stuck` never end, `broken` and `outgrown` fail. */
parentPort?.on('message', ({ number, job }: WorkerTask) => {
  if (job.policy.name === 'stuck') return;
  const halfway: WorkerAnswer = { number, share: 0.5, workedMs: 1 };
  parentPort?.postMessage(halfway);
  const answer: WorkerAnswer =
    job.policy.name === 'broken'
      ? { error: new Error('broken') }
      : job.policy.name === 'outgrown'
        ? { outgrown: 'more than it takes' }
        : { result: { job: number, summary: fakeRun(job), elapsedMs: Number(workerData) }, workedMs: 2 };
  parentPort?.postMessage(answer);
});
