import type { Server as HttpServer, ServerOptions } from 'node:http';
import type { Server as HttpsServer } from 'node:https';

export interface ConnectionLimits {
  readonly total: number;
  readonly perAddress: number;
  /** Time to send a whole request. */
  readonly requestMs: number;
}

/** For createServer: without it, a silent connection is kept for half a minute. */
export const CONNECTION_CHECK: ServerOptions = { connectionsCheckingInterval: 1_000 };

const HEADERS_MS = 5_000;

/** Keeps silent clients, and one address alone, from using all connections; those beyond a limit are closed at once. */
export function limitConnections(
  server: HttpServer | HttpsServer,
  { total, perAddress, requestMs }: ConnectionLimits,
): void {
  server.headersTimeout = HEADERS_MS;
  server.requestTimeout = requestMs;
  server.maxConnections = total;
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
    if (count > perAddress) socket.destroy();
  });
}
