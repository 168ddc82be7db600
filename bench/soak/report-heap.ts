/** Preloaded with --expose-gc into `decant run`: every half minute a line of the log with the heap after a garbage collection. */
const EVERY_MS = 30_000;

setInterval(() => {
  globalThis.gc?.();
  const heapMiB = process.memoryUsage().heapUsed / 2 ** 20;
  process.stderr.write(`${JSON.stringify({ level: 'info', message: 'heap', heapMiB })}\n`);
}, EVERY_MS).unref();
