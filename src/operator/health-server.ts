import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface HealthServerOptions {
  /** undefined: probes only, without /metrics. */
  readonly registry?: Registry;
  /** Problems that need a restart of the process. */
  readonly failures: () => readonly string[];
  /** What is missing before the process is ready. */
  readonly missing: () => readonly string[];
}

/** Header check interval of the server: without it, a silent connection is kept for half a minute. */
const CHECK_MS = 1_000;

/** /metrics, /healthz and /readyz. */
export class HealthServer {
  private readonly server: Server;

  constructor(options: HealthServerOptions) {
    this.server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
      answer(options, request, response).catch(() => response.destroy());
    });
    // Requests are one line long.
    this.server.headersTimeout = 5_000;
    this.server.requestTimeout = 5_000;
    this.server.maxConnections = 64;
    limitPerAddress(this.server);
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

/** Connections per client address: enough for a scraper and a few users. */
const MAX_PER_ADDRESS = 16;

/** Keeps one address from using all connections; those beyond its share are closed at once. */
function limitPerAddress(server: Server): void {
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const { remoteAddress: address = '' } = socket;
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > MAX_PER_ADDRESS) socket.destroy();
  });
}
