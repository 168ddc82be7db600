import { performance } from 'node:perf_hooks';

/** Milliseconds: on the clock, and of processors, which is what counts beside other work. */
export interface Duration {
  readonly wallMs: number;
  readonly cpuMs: number;
}

/** Says how long it has been since. */
export function stopwatch(): () => Duration {
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { wallMs: performance.now() - started, cpuMs: (user + system) / 1000 };
  };
}
