import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * Ports of loopback that nobody uses, all different. Somebody may take one before its component does; then that
 * component fails to start and says so.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
