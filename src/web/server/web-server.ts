import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CONNECTION_CHECK, serveWithin } from '../../serving/connection-limits.ts';
import { createTlsServer, type TlsFiles } from '../../serving/tls-files.ts';
import { Refused } from '../analysis/refused.ts';
import type { Dashboard } from './dashboard.ts';
import { type Admit, Guard } from './guard.ts';
import type { PageFiles } from './page-files.ts';
import { jsonContent, send } from './reply.ts';
import { Routes } from './routes.ts';

export interface Listening {
  /** Listen address; loopback by default. Any other needs `admit`. */
  readonly address?: string;
  readonly admit?: Admit;
  /** undefined: plain HTTP. */
  readonly tls?: TlsFiles;
}

const LOOPBACK = '127.0.0.1';

/** A browser holds six connections and a stream; many browsers share an address behind a proxy. */
const LIMITS = { total: 256, perAddress: 64, requestMs: 30_000 };

export class WebServer {
  private readonly server: Server | TlsServer;
  private readonly routes: Routes;
  private readonly guard: Guard;
  private readonly listening: Listening;

  constructor(dashboard: Dashboard, page: PageFiles, listening: Listening) {
    if (!isLoopback(listening.address ?? LOOPBACK) && listening.admit === undefined)
      throw new Error('an address beyond loopback needs a token');
    this.listening = listening;
    this.guard = new Guard(listening.admit);
    this.routes = new Routes(dashboard, page, this.guard);
    this.server =
      listening.tls === undefined
        ? createServer(CONNECTION_CHECK)
        : createTlsServer(listening.tls, (problem) => process.stderr.write(`decant: ${problem}\n`));
    serveWithin(LIMITS, this.server, (request, response) => void this.serve(request, response));
  }

  /** Returns the URL to open. `port` 0 picks a free one. Rejects with the system's error if it cannot listen. */
  async listen(port: number): Promise<string> {
    const { address = LOOPBACK, tls } = this.listening;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, address, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    const { port: own } = this.server.address() as AddressInfo;
    const host = address.includes(':') ? `[${address}]` : address;
    return `${tls === undefined ? 'http' : 'https'}://${host}:${own}/`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    // Event streams would never end by themselves.
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.routes.serve(request, response);
    } catch (error) {
      // A client that disconnected during its request gets no answer, and that is not a server error.
      if (response.headersSent || (request.destroyed && !request.complete)) response.destroy();
      else refuse(request, response, error);
    }
  }
}

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(address);
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const known = error instanceof Refused;
  if (!known) process.stderr.write(`decant: internal error: ${error instanceof Error ? error.stack : error}\n`);
  const answer = known ? error.answer() : { error: 'internal error; the log of the server has more' };
  if (known && error.status === 401) response.setHeader('www-authenticate', 'Bearer');
  if (known && error.status === 405 && error.allowed !== undefined) response.setHeader('allow', error.allowed);
  // The rest of a refused body is not read.
  if (request.method === 'POST') response.setHeader('connection', 'close');
  send(request, response, jsonContent(answer), known ? error.status : 500);
}
