import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Refused } from '../analysis/refused.ts';

/** With every answer. Nothing comes from elsewhere, nothing is framed, nothing is told to anybody. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Names that always mean this machine: another one that leads here may belong to a page of a stranger (DNS rebinding). */
const LOOPBACK_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/i;

/** Whether a token is accepted: unknown tokens belong to no user, forbidden ones to a user without the permission. */
export type Admit = (bearer: string) => Promise<'admitted' | 'unknown' | 'forbidden'>;

/** Who may ask. */
export class Guard {
  private readonly admit: Admit | undefined;

  /** Without it only this machine may ask, by its own name. */
  constructor(admit: Admit | undefined) {
    this.admit = admit;
  }

  /** The page itself holds nothing of the cluster: it is for all who can reach it. Throws Refused. */
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
      throw new Refused(403, 'another page may not ask here');
    if (this.admit === undefined) return;
    const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
    if (bearer === '') throw new Refused(401, 'a token is needed, as Bearer');
    const verdict = await this.admit(bearer).catch((error: Error) => {
      throw new Refused(503, `whose token this is cannot be found out: ${error.message}`);
    });
    if (verdict === 'unknown') throw new Refused(401, 'this token is not known here');
    if (verdict === 'forbidden') throw new Refused(403, 'whoever has this token may not list pods in all namespaces');
  }
}

/** Those who have this one. */
export function admitToken(token: string): Admit {
  const own = digest(token);
  return async (bearer) => (timingSafeEqual(digest(bearer), own) ? 'admitted' : 'unknown');
}

/** Of one length, so that comparing takes the same time whatever is compared. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Unguessable, and fit for an address. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}
