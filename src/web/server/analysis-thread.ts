import { Worker } from 'node:worker_threads';
import type { Published } from '../analysis/analysis-worker.ts';
import type { Ask } from '../analysis/ask.ts';
import { Refused } from '../analysis/refused.ts';
import type { Subject } from '../analysis/subject.ts';
import type { AnalysisMessage, AnalysisRequest } from './analysis-thread-entry.ts';
import { SubjectSender } from './subject-changes.ts';
import { besideThis } from './thread-module.ts';

/** Questions that wait for an answer. */
const MAX_WAITING = 256;

interface Waiting {
  readonly resolve: (json: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/** An AnalysisWorker in its own thread. */
export class AnalysisThread {
  private readonly published: (news: Published) => void;
  private readonly failed: (error: unknown) => void;
  /** undefined after a crash; the next message starts a new one. */
  private worker: Worker | undefined;
  private closed = false;
  private readonly waiting = new Map<number, Waiting>();
  private running: PromiseWithResolvers<number> | undefined;
  private asked = 0;
  private sender = new SubjectSender();

  constructor(published: (news: Published) => void, failed: (error: unknown) => void) {
    this.published = published;
    this.failed = failed;
    this.worker = this.start();
  }

  private start(): Worker {
    this.sender = new SubjectSender();
    const worker = new Worker(besideThis('analysis-thread-entry', import.meta.url));
    worker.on('message', (message: AnalysisMessage) => {
      if (message.kind === 'published') this.published(message.news);
      else this.take(message);
    });
    worker.on('error', (error) => this.died(worker, error));
    worker.on('exit', (code) => this.died(worker, new Error(`the analysis thread ended with code ${code}`)));
    return worker;
  }

  /** Out of memory, most likely. Open requests fail, and the next analysis starts a new thread. */
  private died(worker: Worker, error: unknown): void {
    if (this.closed || worker !== this.worker) return;
    this.worker = undefined;
    this.running?.reject(error);
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
    this.failed(error);
  }

  /** Must not be called again before it resolves. Returns the analysis time in milliseconds. */
  async analyse(subject: Subject): Promise<number> {
    this.running = Promise.withResolvers<number>();
    this.send(() => ({ kind: 'analyse', changes: this.sender.changes(subject) }));
    return this.running.promise;
  }

  /** Gzipped JSON. Throws Refused if there is no answer, or once the client has left. */
  ask(ask: Ask, left: AbortSignal): Promise<Uint8Array> {
    if (this.waiting.size >= MAX_WAITING) return Promise.reject(new Refused(503, 'too many requests at a time'));
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const id = ++this.asked;
    this.waiting.set(id, { resolve, reject });
    this.send(() => ({ kind: 'ask', id, ask }));
    const forget = () => {
      if (!this.waiting.delete(id)) return;
      this.send(() => ({ kind: 'forget', id }));
      reject(new Refused(499, 'the client has disconnected'));
    };
    left.addEventListener('abort', forget);
    if (left.aborted) forget();
    return promise;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.worker?.terminate();
    for (const { reject } of this.waiting.values()) reject(new Refused(503, 'the dashboard is shutting down'));
  }

  /** A new thread has nothing yet, so the message is made after its start. */
  private send(message: () => AnalysisRequest): void {
    this.worker ??= this.start();
    this.worker.postMessage(message());
  }

  private take(message: Exclude<AnalysisMessage, { kind: 'published' }>): void {
    if (message.kind === 'analysed') this.running?.resolve(message.elapsedMs);
    else if (message.kind === 'analysis-failure') this.running?.reject(message.error);
    else this.takeAnswer(message);
  }

  private takeAnswer(message: Extract<AnalysisMessage, { readonly id: number }>): void {
    const waiting = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.json);
    else if (message.kind === 'failure') waiting?.reject(message.error);
    else waiting?.reject(new Refused(message.status, message.answer.error, message.answer));
  }
}
