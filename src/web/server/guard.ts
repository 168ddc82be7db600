import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refused } from '../analysis/refused.ts';

/** Sent with every answer: no external content, no framing, no referrer. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Names of this machine only: any other name that resolves here may belong to a hostile page (DNS rebinding). */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/i;

/** Whether a token is accepted: unknown tokens belong to no user, forbidden ones to a user without the permission. */
export type Admit = (bearer: string) => Promise<'admitted' | 'unknown' | 'forbidden'>;

/** Decides who may send requests. */
export class Guard {
  private readonly admit: Admit | undefined;

  /** Without `admit`, only this machine may, by one of its own names. */
  constructor(admit: Admit | undefined) {
    this.admit = admit;
  }

  /** The page contains nothing of the cluster, so anyone who reaches the server may load it. Throws Refused. */
  checkAddress({ headers: { host = '' } }: IncomingMessage): void {
    if (this.admit !== undefined || LOOPBACK_HOST.test(host)) return;
    throw new Refused(403, `Host ${JSON.stringify(host.slice(0, 100))} is not this machine`, {
      parameter: 'Host',
      allowed: 'localhost, 127.0.0.1 or [::1]',
    });
  }

  /** Throws Refused. */
  async checkCaller({ headers: { host = '', origin, authorization = '' } }: IncomingMessage): Promise<void> {
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
      throw new Refused(403, 'requests from other origins are not allowed');
    if (this.admit === undefined) return;
    const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
    if (bearer === '') throw new Refused(401, 'a bearer token is required');
    const verdict = await this.admit(bearer).catch((error: Error) => {
      throw new Refused(503, `the token cannot be reviewed: ${error.message}`);
    });
    if (verdict === 'unknown') throw new Refused(401, 'this token is not valid');
    if (verdict === 'forbidden') throw new Refused(403, "the token's user may not list pods in all namespaces");
  }
}

/** Accepts exactly this token. */
export function admitToken(token: string): Admit {
  const own = digest(token);
  return async (bearer) => (timingSafeEqual(digest(bearer), own) ? 'admitted' : 'unknown');
}

/** Of equal length, for a comparison in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Unguessable and URL-safe. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}
