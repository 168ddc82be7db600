import type { Server as HttpServer, RequestListener, ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  /** Time to send a whole request. */
  readonly requestMs: number;
}

/** For createServer: without it, a silent connection is kept for half a minute. */
export const CONNECTION_CHECK: ServerOptions = { connectionsCheckingInterval: 1_000 };

const HEADERS_MS = 5_000;

/**
 * Answers requests so that no client, silent or busy, keeps others or the rest of the process waiting. Beyond a limit,
 * the oldest connection makes way for the newest: of its address, or of the address that has the most.
 */
export function serveWithin(limits: ConnectionLimits, server: HttpServer | HttpsServer, answer: RequestListener): void {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = limits.requestMs;
  const connections = new Connections(limits);
  const answering = new WeakSet<Socket>();
  server.on('connection', (socket) => connections.add(socket));
  server.on('request', (request, response) => {
    const { socket } = request;
    // Thousands of requests fit into one read, but the kubelet, scrapers, browsers and proxies await each response.
    if (answering.has(socket)) {
      connections.closeAll(socket.remoteAddress);
      return;
    }
    answering.add(socket);
    response.once('close', () => answering.delete(socket));
    answer(request, response);
  });
}

class Connections {
  private readonly limits: ConnectionLimits;
  /** The oldest first. */
  private readonly byAddress = new Map<string, Set<Socket>>();
  private count = 0;

  constructor(limits: ConnectionLimits) {
    this.limits = limits;
  }

  add(socket: Socket): void {
    const { remoteAddress: address = '' } = socket;
    const own = this.byAddress.get(address) ?? new Set();
    this.byAddress.set(address, own.add(socket));
    this.count++;
    socket.once('close', () => this.forget(socket, address));
    if (own.size > this.limits.perAddress) this.closeOldest(address);
    else if (this.count > this.limits.total) this.closeOldest(this.largest());
  }

  closeAll(address: string | undefined): void {
    for (const socket of this.byAddress.get(address ?? '') ?? []) this.close(socket, address ?? '');
  }

  private largest(): string {
    return [...this.byAddress].reduce((largest, each) => (each[1].size > largest[1].size ? each : largest))[0];
  }

  private closeOldest(address: string): void {
    const [oldest] = this.byAddress.get(address)!;
    this.close(oldest, address);
  }

  private close(socket: Socket, address: string): void {
    this.forget(socket, address);
    socket.destroy();
  }

  private forget(socket: Socket, address: string): void {
    const own = this.byAddress.get(address);
    if (own?.delete(socket) !== true) return;
    this.count--;
    if (own.size === 0) this.byAddress.delete(address);
  }
}
