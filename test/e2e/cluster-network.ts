import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** Answers the request that reaches a pod. */
export type PodServer = () => { readonly status?: number; readonly body: string };

/**
 * The pods' network as the API server reaches it: it connects to their addresses by way of a proxy (HTTP CONNECT on a
 * socket), as where control plane and nodes have separate networks. Behind each address is a server on loopback.
 */
export class ClusterNetwork implements AsyncDisposable {
  readonly socket: string;
  /** Addresses that were asked for, in order. */
  readonly asked: string[] = [];
  private readonly servers: Server[] = [];

  private constructor(socket: string) {
    this.socket = socket;
  }

  /** `pods`: by address, such as 10.99.0.1:8080. */
  static async open(socket: string, pods: Readonly<Record<string, PodServer>>): Promise<ClusterNetwork> {
    const network = new ClusterNetwork(socket);
    const ports = new Map<string, number>();
    for (const [address, answer] of Object.entries(pods)) {
      const server = createServer((_, response) => {
        const { status = 200, body } = answer();
        response.writeHead(status, { 'content-type': 'text/plain; version=0.0.4' }).end(body);
      });
      await network.listen(server, { port: 0, host: '127.0.0.1' });
      ports.set(address, (server.address() as AddressInfo).port);
    }
    const proxy = createServer();
    proxy.on('connect', ({ url = '' }, client) => {
      network.asked.push(url);
      const port = ports.get(url);
      if (port === undefined) {
        client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      const pod = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        pod.pipe(client).pipe(pod);
      });
      const close = () => {
        pod.destroy();
        client.destroy();
      };
      pod.on('error', close);
      client.on('error', close);
    });
    await network.listen(proxy, { path: socket });
    return network;
  }

  private async listen(server: Server, where: object): Promise<void> {
    this.servers.push(server);
    server.listen(where);
    await once(server, 'listening');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}
