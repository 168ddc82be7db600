import type { Input } from '../generate/cached-input.ts';
import type { PassKind } from './controller-pass.ts';

export interface Sample {
  readonly wallMs: number;
  /** Of all threads, garbage collection's included. */
  readonly cpuMs: number;
}

export interface Measured {
  /** The very first, before anything is compiled by the JIT; undefined if every sample is such a one. */
  readonly first?: Sample;
  readonly samples: readonly Sample[];
  /** Of the process, in 10⁶ bytes. */
  readonly peakMb: number;
  /** Input and result: figures of different answers must not be compared. */
  readonly facts: Facts;
}

export type Facts = Readonly<Record<string, number | string>>;

export interface Task {
  readonly file: string;
  readonly input: Input;
  /** Of a cold start: what is run, without -f. */
  readonly command?: readonly string[];
  /** Of the controller measure. */
  readonly pass?: PassKind;
  readonly warmUps: number;
  readonly runs: number;
}

/**
 * Times one call. Garbage is left to the collector: a full collection forced before each call also threw away
 * optimised code, which no process that goes on working does (every node of plain-packed-1000: 40 ms with, 14 without).
 */
export async function sample<T>(work: () => T | Promise<T>): Promise<{ readonly sample: Sample; readonly value: T }> {
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const value = await work();
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { sample: { wallMs, cpuMs: (user + system) / 1000 }, value };
}

/** The first call by itself, then warm-ups, then the samples that count. `prepare` is not timed. */
export async function sampleOften<P, T>(
  task: Task,
  prepare: () => P,
  work: (prepared: P) => T,
): Promise<{ readonly first: Sample; readonly samples: readonly Sample[]; readonly value: T }> {
  let latest = await once();
  const first = latest.sample;
  const samples: Sample[] = [];
  for (let i = 1; i < task.warmUps + task.runs; i++) {
    latest = await once();
    if (i >= task.warmUps) samples.push(latest.sample);
  }
  return { first, samples: samples.length > 0 ? samples : [first], value: latest.value };

  async function once() {
    const prepared = prepare();
    return sample(() => work(prepared));
  }
}

export function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6;
}
