import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SECURITY_HEADERS } from './guard.ts';

export interface Content {
  readonly type: 'application/json' | 'text/html' | 'text/javascript' | 'text/css' | 'text/plain';
  readonly gzip: Uint8Array;
  /** The same unzipped, of what anyone may request: unzipping takes longer than sending. */
  readonly plain?: Uint8Array;
  /** Changes with the content; undefined to disable caching. */
  readonly tag?: string;
}

export function jsonContent(value: unknown, tag?: string): Content {
  return { type: 'application/json', gzip: gzipSync(JSON.stringify(value)), ...(tag === undefined ? {} : { tag }) };
}

/** Sends the content, or 304 if the client has it. */
export function send(request: IncomingMessage, response: ServerResponse, content: Content, status = 200): void {
  const { type, gzip, plain, tag } = content;
  const headers: Record<string, string> = { ...SECURITY_HEADERS, 'cache-control': 'no-cache', vary: 'accept-encoding' };
  if (tag !== undefined) {
    headers.etag = `W/"${tag}"`;
    if (request.headers['if-none-match'] === headers.etag) {
      response.writeHead(304, headers).end();
      return;
    }
  }
  const zipped = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = zipped ? gzip : (plain ?? gunzipSync(gzip));
  headers['content-type'] = `${type}; charset=utf-8`;
  headers['content-length'] = String(body.length);
  if (zipped) headers['content-encoding'] = 'gzip';
  response.writeHead(status, headers);
  response.end(request.method === 'HEAD' ? undefined : body);
}
