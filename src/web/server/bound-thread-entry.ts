import { parentPort, workerData } from 'node:worker_threads';
import { proveBound } from '../../bound/prove.ts';
import type { Plan } from '../../engine/plan-document.ts';
import { rulesOf, type Subject } from '../analysis/subject.ts';

export interface BoundTask {
  readonly subject: Subject;
  readonly plan: Plan;
}

const { subject, plan }: BoundTask = workerData;
parentPort?.postMessage(await proveBound(subject.objects, rulesOf(subject), plan));
