import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpClient } from '../../src/live/http-client.ts';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** Parsed JSON; undefined if there was none. */
  readonly body: unknown;
}

type Answer = (asked: Asked, response: ServerResponse) => unknown;

/** An HTTP server on loopback that answers as a test tells it, and remembers what it was asked. */
export class ScriptedServer {
  readonly asked: Asked[] = [];
  answer: Answer;
  private readonly server: Server;

  private constructor(answer: Answer) {
    this.answer = answer;
    this.server = createServer(async (request, response) => {
      const url = new URL(request.url ?? '/', 'http://loopback');
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece);
      const text = Buffer.concat(pieces).toString();
      const asked = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      this.asked.push(asked);
      await this.answer(asked, response);
    });
  }

  static async start(answer: Answer): Promise<ScriptedServer> {
    const scripted = new ScriptedServer(answer);
    await once(scripted.server.listen(0, '127.0.0.1'), 'listening');
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get client(): HttpClient {
    return new HttpClient({ server: new URL(this.url), credentials: async () => ({}) });
  }

  /** As a crash would. */
  cutConnections(): void {
    this.server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.server.close(), 'close');
    this.server.closeAllConnections();
    await closed;
  }
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}

/** An error as an API server writes it. */
export function sendStatus(response: ServerResponse, code: number, reason: string, message = reason): void {
  sendJson(response, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, code);
}
