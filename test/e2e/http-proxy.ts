import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Agent, request as forward } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';

/** What a request gets instead of an answer. */
export type Fault =
  /** Answered so, and never seen by the API server. */
  | { readonly status: number; readonly retryAfter?: number; readonly body?: string }
  /** Executed by the API server, but the client gets no answer. */
  | 'unanswered'
  /** Cut before it reaches the API server. */
  | 'cut';

export interface Asked {
  readonly method: string;
  readonly path: string;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string };
  }[];
  readonly users: readonly {
    readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string };
  }[];
}

/** Stands between one client and the API server, on loopback, with an administrator's credentials; it may lie. */
export class HttpProxy implements AsyncDisposable {
  readonly asked: Asked[] = [];
  faultOf: (asked: Asked) => Fault | undefined = () => undefined;
  kubeconfig = '';
  private readonly server: Server;
  private readonly upstream: URL;
  private readonly agent: Agent;

  private constructor(kubeconfig: string) {
    const { clusters, users } = JSON.parse(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
    const decoded = (text: string) => Buffer.from(text, 'base64');
    this.upstream = new URL(clusters[0].cluster.server);
    this.agent = new Agent({
      keepAlive: true,
      ca: decoded(clusters[0].cluster['certificate-authority-data']),
      cert: decoded(users[0].user['client-certificate-data']),
      key: decoded(users[0].user['client-key-data']),
    });
    this.server = createServer((request, response) => this.pass(request, response));
  }

  static async start(cluster: Cluster): Promise<HttpProxy> {
    const proxy = new HttpProxy(cluster.plane.kubeconfig);
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.server.listen(0, '127.0.0.1', resolve);
    await promise;
    const { port } = proxy.server.address() as AddressInfo;
    proxy.kubeconfig = join(cluster.plane.folder, `proxy-${port}.kubeconfig`);
    const name = 'proxy';
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [{ name, cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name, user: {} }],
    };
    await writeFile(proxy.kubeconfig, JSON.stringify(config));
    return proxy;
  }

  /** Ends everything that is under way, watches too. */
  cutAll(): void {
    this.server.closeAllConnections();
  }

  private pass(request: IncomingMessage, response: ServerResponse): void {
    const asked = { method: request.method ?? 'GET', path: request.url ?? '/' };
    this.asked.push(asked);
    const fault = this.faultOf(asked);
    if (fault === 'cut') {
      request.socket.destroy();
      return;
    }
    if (typeof fault === 'object') {
      request.resume();
      const { status, retryAfter, body } = fault;
      const failure = { kind: 'Status', status: 'Failure', code: status, reason: 'Injected', message: 'injected' };
      const headers = {
        'content-type': 'application/json',
        ...(retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` }),
      };
      response.writeHead(status, headers).end(body ?? JSON.stringify(failure));
      return;
    }
    const { hostname, port } = this.upstream;
    const onward = forward(
      {
        agent: this.agent,
        hostname,
        port,
        method: asked.method,
        path: asked.path,
        headers: { ...request.headers, host: `${hostname}:${port}` },
      },
      (answer) => {
        if (fault === 'unanswered') {
          answer.resume().on('end', () => request.socket.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        // A watch in which nothing happens has an answer all the same.
        response.flushHeaders();
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    onward.on('error', () => request.socket.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.server.close(() => resolve());
    this.cutAll();
    this.agent.destroy();
    await promise;
  }
}
