import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Bytes to and fro between clients and one address, until it is told to cut them. TLS goes through untouched. */
export class TcpProxy {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private isOpen = true;

  private constructor(target: URL) {
    this.server = createServer((client) => {
      if (!this.isOpen) {
        client.destroy();
        return;
      }
      const upstream = connect(Number(target.port), target.hostname);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ]) {
        this.sockets.add(from);
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.sockets.delete(from);
          to.destroy();
        });
      }
    });
  }

  static async start(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(new URL(target));
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Connections are cut, and new ones refused until `restore`. */
  cut(): void {
    this.isOpen = false;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isOpen = true;
  }

  async stop(): Promise<void> {
    this.cut();
    await once(this.server.close(), 'close');
  }
}
