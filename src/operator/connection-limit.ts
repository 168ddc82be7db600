import type { Server } from 'node:net';

/** Connections per client address: enough for a scraper and a few users. */
const MAX_PER_ADDRESS = 16;

/** Keeps one address from using all connections; those beyond its share are closed at once. */
export function limitPerAddress(server: Server): void {
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
