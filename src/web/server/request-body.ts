import type { IncomingMessage } from 'node:http';
import { Refused } from '../analysis/refused.ts';

const MOST_BYTES = 16_384;

/** Throws Refused. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  // Other origins cannot send this type without a CORS preflight.
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw new Refused(415, 'the body must be JSON', { parameter: 'Content-Type', allowed: 'application/json' });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Refused(413, `the body is longer than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new Refused(400, 'the body is not JSON');
  }
}
