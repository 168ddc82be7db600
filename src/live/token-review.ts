import { createHash } from 'node:crypto';
import type { ApiClient } from './api-client.ts';

/** unknown: nobody's, or expired. forbidden: of somebody who may not list pods. */
export type TokenVerdict = 'admitted' | 'unknown' | 'forbidden';

/** What was found out is believed for so long: a page asks many times a minute. */
const BELIEVED_MS = 60_000;
/** Wrong tokens cost the API server a request each; those that are tried over and over do not. */
const MOST_REMEMBERED = 1000;

interface Remembered {
  readonly atMs: number;
  readonly verdict: Promise<TokenVerdict>;
}

/**
 * Asks the API server whose token it is, and whether they may list the pods of all namespaces, which is what a
 * dashboard shows. Rejects with ApiError if the API server cannot say.
 */
export class TokenReviewer {
  private readonly client: ApiClient;
  private readonly clock: () => number;
  /** By hash: tokens are not kept. */
  private readonly remembered = new Map<string, Remembered>();

  /** `clock` in milliseconds. */
  constructor(client: ApiClient, clock: () => number) {
    this.client = client;
    this.clock = clock;
  }

  review(token: string): Promise<TokenVerdict> {
    const key = createHash('sha256').update(token).digest('base64');
    const known = this.remembered.get(key);
    if (known !== undefined && this.clock() - known.atMs < BELIEVED_MS) return known.verdict;
    const verdict = this.ask(token);
    this.remembered.delete(key);
    this.remembered.set(key, { atMs: this.clock(), verdict });
    if (this.remembered.size > MOST_REMEMBERED) this.remembered.delete(this.remembered.keys().next().value!);
    // An API server that could not say is asked again.
    verdict.catch(() => this.remembered.delete(key));
    return verdict;
  }

  private async ask(token: string): Promise<TokenVerdict> {
    const { status } = await this.client.request<TokenReview>({
      method: 'POST',
      path: '/apis/authentication.k8s.io/v1/tokenreviews',
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } },
    });
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

interface TokenReview {
  readonly status?: {
    readonly authenticated?: unknown;
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
