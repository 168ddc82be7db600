import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { parentPort, Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import type { Plan, PlanBound } from '../../engine/plan-document.ts';
import { AnalysisWorker, type Published } from '../analysis/analysis-worker.ts';
import type { Ask } from '../analysis/ask.ts';
import { Refused } from '../analysis/refused.ts';
import type { Subject } from '../analysis/subject.ts';
import type { ErrorAnswer } from '../api.ts';
import type { BoundTask } from './bound-thread-entry.ts';
import { type SubjectChanges, SubjectReceiver } from './subject-changes.ts';
import { besideThis } from './thread-module.ts';

/** To the analysis thread, which leaves the network thread free. */
export type AnalysisRequest =
  | { readonly kind: 'analyse'; readonly changes: SubjectChanges }
  | { readonly kind: 'ask'; readonly id: number; readonly ask: Ask }
  /** The client no longer waits for this answer. */
  | { readonly kind: 'forget'; readonly id: number };

export type AnalysisMessage =
  | { readonly kind: 'published'; readonly news: Published }
  /** The requested picture is complete. */
  | { readonly kind: 'analysed'; readonly elapsedMs: number }
  /** JSON, gzipped. */
  | { readonly kind: 'answer'; readonly id: number; readonly json: Uint8Array }
  | { readonly kind: 'refusal'; readonly id: number; readonly status: number; readonly answer: ErrorAnswer }
  /** Bugs. */
  | { readonly kind: 'analysis-failure'; readonly error: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: unknown };

/** Answers stay on the machine or cross a fast network, so compression is kept cheap. */
const GZIP_LEVEL = 3;

function post(message: AnalysisMessage): void {
  parentPort?.postMessage(message);
}

const analysis = new AnalysisWorker((news) => post({ kind: 'published', news }), proveInThread);

const received = new SubjectReceiver();
const asking = new Map<number, AbortController>();

parentPort?.on('message', async (message: AnalysisRequest) => {
  if (message.kind === 'forget') {
    asking.get(message.id)?.abort();
    return;
  }
  if (message.kind === 'analyse') {
    const startedMs = performance.now();
    await analysis.analyse(received.subject(message.changes)).then(
      () => post({ kind: 'analysed', elapsedMs: performance.now() - startedMs }),
      (error: unknown) => post({ kind: 'analysis-failure', error }),
    );
    return;
  }
  const { id, ask } = message;
  const left = new AbortController();
  asking.set(id, left);
  try {
    const json = gzipSync(JSON.stringify(await analysis.answer(ask, left.signal)), { level: GZIP_LEVEL });
    post({ kind: 'answer', id, json });
  } catch (error) {
    if (left.signal.aborted) return;
    if (error instanceof Refused) post({ kind: 'refusal', id, status: error.status, answer: error.answer() });
    else post({ kind: 'failure', id, error });
  } finally {
    asking.delete(id);
  }
});

/** In its own thread, which ends afterwards: the solver never yields. */
async function proveInThread(subject: Subject, plan: Plan): Promise<PlanBound> {
  const workerData: BoundTask = { subject, plan };
  const worker = new Worker(besideThis('bound-thread-entry', import.meta.url), { workerData });
  try {
    const [bound] = await once(worker, 'message');
    return bound;
  } finally {
    await worker.terminate();
  }
}
