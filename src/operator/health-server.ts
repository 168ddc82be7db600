import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { CONNECTION_CHECK, serveWithin } from '../serving/connection-limits.ts';

export interface HealthServerOptions {
  /** undefined: probes only, without /metrics. */
  readonly registry?: Registry;
  /** Problems that need a restart of the process. */
  readonly failures: () => readonly string[];
  /** What is missing before the process is ready. */
  readonly missing: () => readonly string[];
}

/** Requests are one line long; one address is a scraper and a few users. An idle connection takes little memory. */
const LIMITS = { total: 1_024, perAddress: 16, requestMs: 5_000 };

/** /metrics, /healthz and /readyz. */
export class HealthServer {
  private readonly server: Server;

  constructor(options: HealthServerOptions) {
    this.server = createServer(CONNECTION_CHECK);
    serveWithin(LIMITS, this.server, (request, response) => {
      answer(options, request, response).catch(() => response.destroy());
    });
  }

  /** Returns the port; 0 picks a free one. Rejects if it cannot listen. */
  async listen(port: number, address: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once('error', reject).listen(port, address, resolve);
    await promise;
    return (this.server.address() as AddressInfo).port;
  }

  /** Also works if it never listened. */
  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    this.server.closeAllConnections();
    await promise;
  }
}

async function answer(
  { registry, failures, missing }: HealthServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  request.resume();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end();
    return;
  }
  switch (request.url?.split('?', 1)[0]) {
    case '/metrics':
      if (registry === undefined) break;
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
      return;
    case '/healthz':
      verdict(response, failures());
      return;
    case '/readyz':
      verdict(response, missing());
      return;
  }
  const metrics = registry === undefined ? '' : '/metrics, ';
  response.writeHead(404, PLAIN).end(`there is ${metrics}/healthz and /readyz\n`);
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

function verdict(response: ServerResponse, objections: readonly string[]): void {
  if (objections.length === 0) response.writeHead(200, PLAIN).end('ok\n');
  else response.writeHead(503, PLAIN).end(`${objections.join('\n')}\n`);
}
