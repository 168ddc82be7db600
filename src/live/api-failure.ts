import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { ApiFailure } from './api-client.ts';

/** Longer error texts are cut. */
export const MOST_ERROR_BYTES = 64 << 10;
const LONGEST_MESSAGE = 500;

/** The failure of an answer that is not 2xx: a Status object from an API server, or anything from a proxy. */
export function failureOf(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
): ApiFailure & { readonly message: string } {
  const answer = statusObject(body);
  const told = typeof answer?.message === 'string' && answer.message !== '' ? answer.message : body;
  const message = headers.location === undefined ? told : `redirects to ${headers.location}`;
  const reason = typeof answer?.reason === 'string' && answer.reason !== '' ? answer.reason : STATUS_CODES[status];
  const retryAfterMs = retryAfter(headers['retry-after']) ?? seconds(answer?.details?.retryAfterSeconds);
  return {
    status,
    reason: reason ?? 'Unknown',
    message: oneLine(message),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

interface StatusObject {
  readonly reason?: unknown;
  readonly message?: unknown;
  readonly details?: { readonly retryAfterSeconds?: unknown } | null;
}

function statusObject(body: string): StatusObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** In seconds; API servers do not use dates. */
function retryAfter(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : undefined;
}

function seconds(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value * 1000 : undefined;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'no reason given';
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}…`;
}
