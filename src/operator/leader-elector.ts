import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, isStatus } from '../live/api-client.ts';
import { LinkedAbort } from '../live/linked-abort.ts';
import {
  Election,
  type ElectionStep,
  type ElectionTimes,
  type Lease,
  type LeaseAnswer,
  type LeaseRequest,
  USUAL_ELECTION_TIMES,
} from './election.ts';
import { errorInWords, type Log } from './log.ts';

export interface LeaderElectorOptions {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly name: string;
  readonly identity: string;
  readonly log: Log;
  readonly times?: ElectionTimes;
  /** Monotonic. */
  readonly clock: () => number;
  /** Called when the known leadership changes. */
  readonly onChange: (leads: boolean) => void;
}

/** Runs the election on a Lease. */
export class LeaderElector {
  private readonly options: LeaderElectorOptions;
  private readonly times: ElectionTimes;
  private readonly election: Election;
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private led = false;

  constructor(options: LeaderElectorOptions) {
    this.options = options;
    this.times = options.times ?? USUAL_ELECTION_TIMES;
    this.election = new Election(options.identity, this.times);
  }

  start(): void {
    this.running ??= this.run();
  }

  isLeader(): boolean {
    return this.election.isLeader(this.options.clock());
  }

  /** Releases the Lease. All writes must have ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    const release = this.election.release();
    this.tell();
    if (release !== undefined) await this.send(release, AbortSignal.timeout(this.times.retryMs));
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const { clock } = this.options;
      const step: ElectionStep = this.election.next(clock());
      if (step.kind === 'wait') await sleep(step.ms, undefined, { signal }).catch(() => {});
      else this.election.answered(step, await this.sendInTime(step), clock());
      this.tell();
    }
  }

  /** An answer after the deadline is useless. */
  private async sendInTime(request: LeaseRequest): Promise<LeaseAnswer> {
    const patience = new LinkedAbort(this.stopping.signal);
    const timer = setTimeout(() => patience.abort(), this.times.renewDeadlineMs / 2);
    try {
      return await this.send(request, patience.signal);
    } finally {
      clearTimeout(timer);
      patience.unlink();
    }
  }

  private tell(): void {
    const leads = this.isLeader();
    if (leads === this.led) return;
    this.led = leads;
    this.options.onChange(leads);
  }

  private async send(request: LeaseRequest, signal: AbortSignal): Promise<LeaseAnswer> {
    const { client, namespace, name, log } = this.options;
    const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
    try {
      const answer =
        request.kind === 'get'
          ? await client.request({ method: 'GET', path: `${leases}/${name}`, signal })
          : request.kind === 'create'
            ? await client.request({ method: 'POST', path: leases, body: this.object(request), signal })
            : await client.request({ method: 'PUT', path: `${leases}/${name}`, body: this.object(request), signal });
      return { kind: 'lease', lease: leaseOf(answer, this.times.leaseMs) };
    } catch (error) {
      if (isStatus(error, 404) && request.kind !== 'create') return { kind: 'absent' };
      if (isStatus(error, 409)) return { kind: 'conflict' };
      if (!this.stopping.signal.aborted)
        log.warn('leader election: Lease request failed', {
          lease: `${namespace}/${name}`,
          error: errorInWords(error),
        });
      return { kind: 'failed' };
    }
  }

  private object(request: Exclude<LeaseRequest, { kind: 'get' }>): object {
    const { namespace, name } = this.options;
    const { holder, durationMs, transitions, acquired } = request.lease;
    const now = `${new Date().toISOString().slice(0, -1)}000Z`;
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: {
        name,
        namespace,
        ...(request.kind === 'update' ? { resourceVersion: request.resourceVersion } : {}),
      },
      spec: {
        holderIdentity: holder,
        leaseDurationSeconds: Math.max(1, Math.round(durationMs / 1000)),
        acquireTime: acquired ?? now,
        renewTime: now,
        leaseTransitions: transitions,
      },
    };
  }
}

interface LeaseObject {
  readonly metadata?: { readonly resourceVersion?: unknown };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** Throws if the answer is not a Lease. */
export function leaseOf(answer: unknown, usualMs: number): Lease {
  const { metadata, spec = {} } = (answer ?? {}) as LeaseObject;
  const { holderIdentity, leaseDurationSeconds, acquireTime, leaseTransitions } = spec;
  if (typeof metadata?.resourceVersion !== 'string' || metadata.resourceVersion === '')
    throw new Error('the response is not a Lease');
  return {
    resourceVersion: metadata.resourceVersion,
    holder: typeof holderIdentity === 'string' ? holderIdentity : '',
    durationMs: isPositive(leaseDurationSeconds) ? leaseDurationSeconds * 1000 : usualMs,
    acquired: typeof acquireTime === 'string' ? acquireTime : undefined,
    transitions: isPositive(leaseTransitions) ? leaseTransitions : 0,
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}
