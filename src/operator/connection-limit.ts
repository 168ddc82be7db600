import type { Server } from 'node:net';

/** Connections that one address may hold open at a time: a scraper and a few impatient people. */
const MAX_PER_ADDRESS = 16;

/** One address cannot take every connection that the server has. Those beyond its share are closed at once. */
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
