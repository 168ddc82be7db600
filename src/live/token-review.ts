import { createHash } from 'node:crypto';
import { type ApiClient, ApiError } from './api-client.ts';
import { TokenBucket } from './token-bucket.ts';

/** unknown: invalid or expired. forbidden: its user may not list pods. */
export type TokenVerdict = 'admitted' | 'unknown' | 'forbidden';

/** How long a verdict is cached: a page sends many requests a minute. */
const BELIEVED_MS = 60_000;
/** Admitted and other tokens cached, each: invalid ones do not evict valid ones. */
const MOST_REMEMBERED = 1000;
/** Tokens that are not cached cost the API server a request each; this limits new ones and those admitted before, each. */
const MAX_CONCURRENT = 8;
const BURST = 50;
const PER_SECOND = 10;

interface Remembered {
  readonly atMs: number;
  readonly verdict: Promise<TokenVerdict>;
}

/**
 * Asks the API server for a token's user and whether they may list the pods of all namespaces, which is what a
 * dashboard shows. Rejects with ApiError if the API server cannot answer.
 */
export class TokenReviewer {
  private readonly client: ApiClient;
  private readonly clock: () => number;
  private readonly audience: string | undefined;
  /** By hash: tokens are not kept. */
  private readonly remembered = new Map<string, Remembered>();
  private readonly admitted = new Map<string, Remembered>();
  private readonly first = new Allowance();
  private readonly again = new Allowance();

  /**
   * `clock` in milliseconds. `audience`: only tokens issued for it are accepted, which are worth nothing anywhere else;
   * undefined: tokens for the API server.
   */
  constructor(client: ApiClient, clock: () => number, audience?: string) {
    this.client = client;
    this.clock = clock;
    this.audience = audience;
  }

  review(token: string): Promise<TokenVerdict> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.admitted.get(key) ?? this.remembered.get(key);
    if (known !== undefined && this.clock() - known.atMs < BELIEVED_MS) return known.verdict;
    const before = this.admitted.get(key);
    const allowance = before === undefined ? this.first : this.again;
    if (!allowance.take(this.clock()))
      return Promise.reject(new ApiError('too many tokens to review', { status: 429, reason: 'TooManyRequests' }));
    const verdict = this.ask(token).finally(() => allowance.release());
    const entry = { atMs: this.clock(), verdict };
    this.remember(key, entry, before !== undefined);
    verdict.then(
      (said) => this.remember(key, entry, said === 'admitted'),
      // Failures of the API server are not cached.
      () => {
        if (before === undefined) this.remembered.delete(key);
        else this.admitted.set(key, before);
      },
    );
    return verdict;
  }

  private remember(key: string, entry: Remembered, isAdmitted: boolean): void {
    const [into, other] = isAdmitted ? [this.admitted, this.remembered] : [this.remembered, this.admitted];
    other.delete(key);
    into.set(key, entry);
    if (into.size > MOST_REMEMBERED) into.delete(into.keys().next().value!);
  }

  private async ask(token: string): Promise<TokenVerdict> {
    const { audience } = this;
    const { status } = await this.client.request<TokenReview>({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      body: {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token, ...(audience === undefined ? {} : { audiences: [audience] }) },
      },
    });
    // A server without support for audiences returns none: then they were not checked.
    if (audience !== undefined && status?.audiences?.includes(audience) !== true) return 'unknown';
    if (status?.authenticated !== true || status.user === undefined) return 'unknown';
    const { username: user, uid, groups, extra } = status.user;
    const { status: access } = await this.client.request<AccessReview>({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: { user, uid, groups, extra, resourceAttributes: { verb: 'list', group: '', resource: 'pods' } },
      },
    });
    return access?.allowed === true ? 'admitted' : 'forbidden';
  }
}

/** What may be asked now. */
class Allowance {
  private readonly bucket = new TokenBucket(BURST, PER_SECOND);
  private asking = 0;

  take(nowMs: number): boolean {
    if (this.asking >= MAX_CONCURRENT || !this.bucket.take(nowMs)) return false;
    this.asking++;
    return true;
  }

  release(): void {
    this.asking--;
  }
}

interface TokenReview {
  readonly status?: {
    readonly authenticated?: unknown;
    readonly audiences?: readonly string[];
    readonly user?: {
      readonly username?: string;
      readonly uid?: string;
      readonly groups?: readonly string[];
      readonly extra?: Readonly<Record<string, readonly string[]>>;
    };
  };
}

interface AccessReview {
  readonly status?: { readonly allowed?: unknown };
}
