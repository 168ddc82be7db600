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

/** Who may ask. */
export class Guard {
  private readonly token: Buffer | undefined;

  /** Without a token only this machine may ask, by its own name. */
  constructor(token: string | undefined) {
    this.token = token === undefined ? undefined : digest(token);
  }

  /** The page itself holds nothing of the cluster: it is for all who can reach it. Throws Refused. */
  checkAddress({ headers: { host = '' } }: IncomingMessage): void {
    if (this.token !== undefined || LOOPBACK_HOST.test(host)) return;
    throw new Refused(403, `Host ${JSON.stringify(host.slice(0, 100))} is not this machine`, {
      parameter: 'Host',
      allowed: 'localhost, 127.0.0.1 or [::1]',
    });
  }

  /** Throws Refused. */
  checkCaller({ headers: { host = '', origin, authorization = '' } }: IncomingMessage): void {
    if (origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`)
      throw new Refused(403, 'another page may not ask here');
    if (this.token === undefined) return;
    const bearer = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
    if (!timingSafeEqual(digest(bearer), this.token))
      throw new Refused(401, bearer === '' ? 'a token is needed, as Bearer' : 'this is not the token');
  }
}

/** Of one length, so that comparing takes the same time whatever is compared. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Unguessable, and fit for an address. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}
