/** spec of a coordination.k8s.io/v1 Lease, and which version of it. */
export interface Lease {
  readonly resourceVersion: string;
  /** '' if whoever had it gave it back. */
  readonly holder: string;
  readonly durationMs: number;
  readonly acquired: string | undefined;
  readonly transitions: number;
}

export interface ElectionTimes {
  /** Others leave a leader alone for so long after they last saw it renew. */
  readonly leaseMs: number;
  /** A leader that has not renewed for so long acts no more. */
  readonly renewDeadlineMs: number;
  readonly retryMs: number;
}

/** As client-go has them. */
export const USUAL_ELECTION_TIMES: ElectionTimes = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 };

export type LeaseRequest =
  | { readonly kind: 'get' }
  | { readonly kind: 'create'; readonly lease: WantedLease }
  /** Only if the Lease still has this version. */
  | { readonly kind: 'update'; readonly lease: WantedLease; readonly resourceVersion: string };

/** Times that people read are filled in by whoever sends it. */
export interface WantedLease {
  readonly holder: string;
  readonly durationMs: number;
  readonly transitions: number;
  /** When it was acquired, if that stays as it was; otherwise now. */
  readonly acquired: string | undefined;
}

export type LeaseAnswer =
  | { readonly kind: 'lease'; readonly lease: Lease }
  | { readonly kind: 'absent' }
  /** Somebody else was faster. */
  | { readonly kind: 'conflict' }
  /** Nobody knows whether it came about. */
  | { readonly kind: 'failed' };

export type ElectionStep = { readonly kind: 'wait'; readonly ms: number } | LeaseRequest;

/**
 * Who leads, as client-go decides it: a Lease that its holder renews, and that others take once they have not seen it
 * change for its whole duration. All times are of one's own monotonic clock, so that clocks need not agree; they only
 * have to run about equally fast. A leader counts from when it *sent* the renewal that came through, others from when
 * they saw it, which is later: it stops (10 s) long before anybody else may begin (15 s).
 */
export class Election {
  private readonly identity: string;
  private readonly times: ElectionTimes;
  private seen: { readonly lease: Lease; readonly sinceMs: number } | undefined;
  private absent = false;
  private sentMs = Number.NEGATIVE_INFINITY;
  private renewedMs = Number.NEGATIVE_INFINITY;
  private nextMs = Number.NEGATIVE_INFINITY;
  /** What is known may be old: look before anything is written. */
  private mustLook = true;

  constructor(identity: string, times: ElectionTimes = USUAL_ELECTION_TIMES) {
    this.identity = identity;
    this.times = times;
  }

  /** To be asked right before every write. */
  isLeader(nowMs: number): boolean {
    return nowMs - this.renewedMs < this.times.renewDeadlineMs;
  }

  /** What is known of whoever leads; undefined: nothing, or nobody does. */
  get holder(): string | undefined {
    return this.seen?.lease.holder || undefined;
  }

  /** What to do now. A request is answered by `answered` before this is asked again. */
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
        this.mustLook = false;
        // Nobody has it: there is nothing to wait for.
        this.nextMs = nowMs;
        return;
      case 'conflict':
      case 'failed':
        this.mustLook = true;
        return;
      case 'lease':
        this.learn(request, answer.lease, nowMs);
    }
  }

  /** The request that gives the Lease back; undefined: it is not ours. Nothing may be written after it is sent. */
  release(): LeaseRequest | undefined {
    const { seen, identity } = this;
    this.renewedMs = Number.NEGATIVE_INFINITY;
    if (seen?.lease.holder !== identity) return undefined;
    const { resourceVersion, transitions, acquired } = seen.lease;
    return { kind: 'update', resourceVersion, lease: { holder: '', durationMs: 1000, transitions, acquired } };
  }

  private learn(request: LeaseRequest, lease: Lease, nowMs: number): void {
    this.absent = false;
    this.mustLook = false;
    if (this.seen?.lease.resourceVersion !== lease.resourceVersion) this.seen = { lease, sinceMs: nowMs };
    if (lease.holder !== this.identity) {
      this.renewedMs = Number.NEGATIVE_INFINITY;
      if (this.mayTake(nowMs)) this.nextMs = nowMs;
      return;
    }
    if (request.kind !== 'get') this.renewedMs = this.sentMs;
    // Ours, but nobody knows since when: renew at once.
    else this.nextMs = nowMs;
  }

  private request(nowMs: number): LeaseRequest {
    const { identity, seen } = this;
    const { leaseMs: durationMs } = this.times;
    if (this.mustLook) return { kind: 'get' };
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
