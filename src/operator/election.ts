/** spec of a coordination.k8s.io/v1 Lease, and its version. */
export interface Lease {
  readonly resourceVersion: string;
  /** '' if it was released. */
  readonly holder: string;
  readonly durationMs: number;
  readonly acquired: string | undefined;
  readonly transitions: number;
}

export interface ElectionTimes {
  /** Others respect a leader for this long after they last saw a renewal. */
  readonly leaseMs: number;
  /** A leader stops acting this long after its last renewal. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

/** As in client-go. */
export const USUAL_ELECTION_TIMES: ElectionTimes = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export type LeaseRequest =
  | { readonly kind: 'get' }
  | { readonly kind: 'create'; readonly lease: WantedLease }
  /** Only if the Lease still has this version. */
  | { readonly kind: 'update'; readonly lease: WantedLease; readonly resourceVersion: string };

/** The sender fills in the times. */
export interface WantedLease {
  readonly holder: string;
  readonly durationMs: number;
  readonly transitions: number;
  /** When it was acquired, if that does not change; otherwise now. */
  readonly acquired: string | undefined;
}

export type LeaseAnswer =
  | { readonly kind: 'lease'; readonly lease: Lease }
  | { readonly kind: 'absent' }
  /** Another writer was faster. */
  | { readonly kind: 'conflict' }
  /** Its effect is unknown. */
  | { readonly kind: 'failed' };

export type ElectionStep = { readonly kind: 'wait'; readonly ms: number } | LeaseRequest;

/**
 * Leader election as in client-go: a Lease that its holder renews, and that others take once they have not seen it
 * change for its whole duration. All times are of the local monotonic clock, so clocks need not agree; they only need
 * about the same rate. A leader counts from when it *sent* the successful renewal, others from when they saw it, which
 * is later: it stops (10 s) well before another may begin (15 s).
 */
export class Election {
  private readonly identity: string;
  private readonly times: ElectionTimes;
  private seen: { readonly lease: Lease; readonly sinceMs: number } | undefined;
  private absent = false;
  private sentMs = Number.NEGATIVE_INFINITY;
  private renewedMs = Number.NEGATIVE_INFINITY;
  private nextMs = Number.NEGATIVE_INFINITY;
  /** The known Lease may be outdated: read before the next write. */
  private mustRead = true;

  constructor(identity: string, times: ElectionTimes = USUAL_ELECTION_TIMES) {
    this.identity = identity;
    this.times = times;
  }

  /** To be called right before every write. */
  isLeader(nowMs: number): boolean {
    return nowMs - this.renewedMs < this.times.renewDeadlineMs;
  }

  /** The known leader; undefined if unknown or none. */
  get holder(): string | undefined {
    return this.seen?.lease.holder || undefined;
  }

  /** The next step. A request must be answered with `answered` before the next call. */
  next(nowMs: number): ElectionStep {
    if (nowMs < this.nextMs) return { kind: 'wait', ms: this.nextMs - nowMs };
    this.sentMs = nowMs;
    this.nextMs = nowMs + this.times.retryMs;
    return this.request(nowMs);
  }

  answered(request: LeaseRequest, answer: LeaseAnswer, nowMs: number): void {
    switch (answer.kind) {
      case 'absent':
        this.seen = undefined;
        this.absent = true;
        this.mustRead = false;
        // The Lease is free: no need to wait.
        this.nextMs = nowMs;
        return;
      case 'conflict':
      case 'failed':
        this.mustRead = true;
        return;
      case 'lease':
        this.learn(request, answer.lease, nowMs);
    }
  }

  /** The request that releases the Lease; undefined if it is not ours. No writes after it is sent. */
  release(): LeaseRequest | undefined {
    const { seen, identity } = this;
    this.renewedMs = Number.NEGATIVE_INFINITY;
    if (seen?.lease.holder !== identity) return undefined;
    const { resourceVersion, transitions, acquired } = seen.lease;
    return { kind: 'update', resourceVersion, lease: { holder: '', durationMs: 1000, transitions, acquired } };
  }

  private learn(request: LeaseRequest, lease: Lease, nowMs: number): void {
    this.absent = false;
    this.mustRead = false;
    if (this.seen?.lease.resourceVersion !== lease.resourceVersion) this.seen = { lease, sinceMs: nowMs };
    if (lease.holder !== this.identity) {
      this.renewedMs = Number.NEGATIVE_INFINITY;
      if (this.mayTake(nowMs)) this.nextMs = nowMs;
      return;
    }
    if (request.kind !== 'get') this.renewedMs = this.sentMs;
    // Ours since an unknown time: renew at once.
    else this.nextMs = nowMs;
  }

  private request(nowMs: number): LeaseRequest {
    const { identity, seen } = this;
    const { leaseMs: durationMs } = this.times;
    if (this.mustRead) return { kind: 'get' };
    if (seen === undefined) {
      const lease = { holder: identity, durationMs, transitions: 0, acquired: undefined };
      return this.absent ? { kind: 'create', lease } : { kind: 'get' };
    }
    const { resourceVersion, holder, transitions, acquired } = seen.lease;
    if (holder === identity)
      return { kind: 'update', resourceVersion, lease: { holder, durationMs, transitions, acquired } };
    if (!this.mayTake(nowMs)) return { kind: 'get' };
    const lease = { holder: identity, durationMs, transitions: transitions + 1, acquired: undefined };
    return { kind: 'update', resourceVersion, lease };
  }

  private mayTake(nowMs: number): boolean {
    const { seen } = this;
    return seen !== undefined && (seen.lease.holder === '' || nowMs - seen.sinceMs >= seen.lease.durationMs);
  }
}
