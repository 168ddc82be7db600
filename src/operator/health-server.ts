import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface HealthServerOptions {
  readonly registry: Registry;
  /** What is wrong with the process: somebody should start it again. */
  readonly illness: () => readonly string[];
  /** What is missing before it can do its work. */
  readonly missing: () => readonly string[];
}

/** /metrics, /healthz and /readyz, and nothing else. */
export class HealthServer {
  private readonly server: Server;

  constructor(options: HealthServerOptions) {
    this.server = createServer((request, response) => {
      answer(options, request, response).catch(() => response.destroy());
    });
    // Nobody has anything long to say here.
    this.server.headersTimeout = 5_000;
    this.server.requestTimeout = 5_000;
    this.server.maxConnections = 64;
  }

  /** Answers the port: 0 asks for any that is free. Rejects if there is none to be had. */
  async listen(port: number, address: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once('error', reject).listen(port, address, resolve);
    await promise;
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    this.server.closeAllConnections();
    await promise;
  }
}

async function answer(
  { registry, illness, missing }: HealthServerOptions,
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
      response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
      return;
    case '/healthz':
      verdict(response, illness());
      return;
    case '/readyz':
      verdict(response, missing());
      return;
    default:
      response.writeHead(404, PLAIN).end('there is /metrics, /healthz and /readyz\n');
  }
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' };

function verdict(response: ServerResponse, objections: readonly string[]): void {
  if (objections.length === 0) response.writeHead(200, PLAIN).end('ok\n');
  else response.writeHead(503, PLAIN).end(`${objections.join('\n')}\n`);
}
