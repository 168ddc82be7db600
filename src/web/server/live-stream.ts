import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dashboard, LiveEvent } from './dashboard.ts';
import { SECURITY_HEADERS } from './guard.ts';

/** Heartbeat for the page and for proxies that close idle connections. */
const HEARTBEAT_MS = 10_000;
/** Unread bytes after which a slow client is disconnected; it reconnects for the latest state. */
const MOST_UNREAD = 1 << 20;

/**
 * Server-sent events until the client disconnects. A client that reconnects gets the state at once, so nothing is
 * missed.
 */
export function stream(
  request: IncomingMessage,
  response: ServerResponse,
  dashboard: Dashboard,
  mayStay: () => Promise<void>,
): void {
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  const write = (text: string) => {
    if (response.writableLength > MOST_UNREAD) response.destroy();
    else response.write(text);
  };
  write('retry: 1000\n\n');
  const stop = dashboard.watch((event) => write(eventText(event, dashboard.version)));
  const heartbeat = setInterval(() => {
    write(': heartbeat\n\n');
    // Ends the stream once the token has expired.
    mayStay().catch(() => response.end());
  }, HEARTBEAT_MS);
  request.once('close', () => {
    clearInterval(heartbeat);
    stop();
  });
}

function eventText({ kind, data }: LiveEvent, version: number): string {
  return `event: ${kind}\nid: ${version}\ndata: ${JSON.stringify(data)}\n\n`;
}
