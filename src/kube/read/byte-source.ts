import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** Each `read` fills part of the buffer and returns the number of bytes; 0 at the end. */
export interface ByteSource {
  read(into: Buffer): number | Promise<number>;
  close(): void;
}

const GZIP_MAGIC = [0x1f, 0x8b] as const;
/** Byte order marks of UTF-16, which `>` of Windows PowerShell writes. */
const UTF_16 = { 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;
const MARK_LENGTH = 2;

/** A file, decompressed if it is gzip, whatever its name, and UTF-8 if it was UTF-16. */
export function openFile(path: string): ByteSource {
  const file = openSync(path, 'r');
  const start = Buffer.alloc(MARK_LENGTH);
  const wrap = readSync(file, start, 0, start.length, 0) === start.length ? decoderFor(start) : undefined;
  if (wrap !== undefined) {
    closeSync(file);
    return chunkSource(wrap(createReadStream(path)));
  }
  return { read: (into) => readSync(file, into, 0, into.length, null), close: () => closeSync(file) };
}

/** A stream such as standard input, decoded as a file is. */
export async function openStream(stream: AsyncIterable<Uint8Array>): Promise<ByteSource> {
  const chunks = stream[Symbol.asyncIterator]();
  // The first two bytes decide; a pipe may deliver them separately.
  let head = Buffer.alloc(0);
  let over = false;
  while (head.length < MARK_LENGTH && !over) {
    const next = await chunks.next();
    if (next.done) over = true;
    else head = Buffer.concat([head, next.value]);
  }
  const whole = withHead(head, chunks);
  return chunkSource(decoderFor(head)?.(whole) ?? whole);
}

async function* withHead(head: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

type Bytes = AsyncIterable<Uint8Array>;

/** By the first two bytes; undefined: read as it is. */
function decoderFor(head: Buffer): ((bytes: Bytes) => Bytes) | undefined {
  const begins = (mark: readonly number[]) => mark.every((byte, i) => head[i] === byte);
  if (begins(GZIP_MAGIC)) return gunzip;
  if (begins(UTF_16['utf-16le'])) return (bytes) => fromUtf16(bytes, 'utf-16le');
  if (begins(UTF_16['utf-16be'])) return (bytes) => fromUtf16(bytes, 'utf-16be');
  return undefined;
}

async function* fromUtf16(bytes: Bytes, encoding: keyof typeof UTF_16): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of bytes) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

function gunzip(packed: Bytes): Bytes {
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
