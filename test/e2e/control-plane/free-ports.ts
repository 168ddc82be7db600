import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';

/**
 * Below those that Linux gives to outgoing connections: a component listens seconds after its port was found free,
 * and hundreds of connections are made in between.
 */
const [LOWEST, HIGHEST] = [16_384, 32_767];

/**
 * Ports of loopback that nobody uses, all different. Somebody may still take one before its component does; then the
 * control plane is started once more.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers: Server[] = [];
  while (servers.length < count) {
    const server = createServer().listen(randomInt(LOWEST, HIGHEST + 1), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) servers.push(server);
  }
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
