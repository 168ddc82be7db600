import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Plan, PlanBound } from '../../engine/plan-document.ts';
import type { Subject } from '../analysis/subject.ts';
import type { BoundTask } from './bound-thread-entry.ts';
import { besideThis } from './thread-module.ts';

/** In its own thread, which ends afterwards: the solver never yields. */
export async function proveInThread(subject: Subject, plan: Plan): Promise<PlanBound> {
  const workerData: BoundTask = { subject, plan };
  const worker = new Worker(besideThis('bound-thread-entry', import.meta.url), { workerData });
  try {
    const [bound] = await once(worker, 'message');
    return bound;
  } finally {
    await worker.terminate();
  }
}
