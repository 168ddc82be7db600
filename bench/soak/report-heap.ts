import { getHeapCodeStatistics } from 'node:v8';

/**
 * Preloaded with --expose-gc into `decant run`: every half minute a line of the log with the heap after a garbage collection,
 * and how much of it is compiled code, which grows for as long as functions are used that were not used before.
 */
const EVERY_MS = 30_000;

setInterval(() => {
  globalThis.gc?.();
  const { code_and_metadata_size: code, bytecode_and_metadata_size: bytecode } = getHeapCodeStatistics();
  const heapMiB = process.memoryUsage().heapUsed / 2 ** 20;
  process.stderr.write(
    `${JSON.stringify({ level: 'info', message: 'heap', heapMiB, codeMiB: (code + bytecode) / 2 ** 20 })}\n`,
  );
}, EVERY_MS).unref();
