import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** Each `read` fills part of the buffer and returns the number of bytes; 0 at the end. */
export interface ByteSource {
  read(into: Buffer): number | Promise<number>;
  close(): void;
}

const GZIP_MAGIC = [0x1f, 0x8b] as const;

/** A file, decompressed if it is gzip, whatever its name. */
export function openFile(path: string): ByteSource {
  const file = openSync(path, 'r');
  const start = Buffer.alloc(GZIP_MAGIC.length);
  if (readSync(file, start, 0, start.length, 0) === start.length && isGzip(start)) {
    closeSync(file);
    return chunkSource(gunzip(createReadStream(path)));
  }
  return { read: (into) => readSync(file, into, 0, into.length, null), close: () => closeSync(file) };
}

/** A stream such as standard input, decompressed if it is gzip. */
export async function openStream(stream: AsyncIterable<Uint8Array>): Promise<ByteSource> {
  const chunks = stream[Symbol.asyncIterator]();
  // The first two bytes decide; a pipe may deliver them separately.
  let head = Buffer.alloc(0);
  let over = false;
  while (head.length < GZIP_MAGIC.length && !over) {
    const next = await chunks.next();
    if (next.done) over = true;
    else head = Buffer.concat([head, next.value]);
  }
  const whole = withHead(head, chunks);
  return chunkSource(isGzip(head) ? gunzip(whole) : whole);
}

async function* withHead(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

function isGzip(head: Buffer): boolean {
  return GZIP_MAGIC.every((byte, i) => head[i] === byte);
}

function gunzip(packed: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // Loaded on demand: most input is not compressed, and loading slows every start.
  const { createGunzip } = process.getBuiltinModule('node:zlib');
  const { pipeline } = process.getBuiltinModule('node:stream');
  // The decompressed stream reports failures to the reader.
  return pipeline(packed, createGunzip(), () => {}) as Readable;
}

function chunkSource(stream: AsyncIterable<Uint8Array>): ByteSource {
  const chunks = stream[Symbol.asyncIterator]();
  let chunk: Uint8Array = new Uint8Array(0);
  let used = 0;
  return {
    async read(into) {
      while (used === chunk.length) {
        const next = await chunks.next();
        if (next.done) return 0;
        chunk = next.value;
        used = 0;
      }
      const count = Math.min(into.length, chunk.length - used);
      into.set(chunk.subarray(used, used + count));
      used += count;
      return count;
    },
    close() {
      chunks.return?.();
    },
  };
}
