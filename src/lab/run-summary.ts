import type { LedgerSummary } from '../simulator/ledger.ts';
import type { NamedPolicy } from './named-policy.ts';

/** One simulation: one seed of one policy on one workload. */
export interface Job {
  /** Name in the experiment. */
  readonly workload: string;
  readonly policy: NamedPolicy;
  readonly seed: number;
  readonly days: number;
}

/** Figures of a ledger that add up over workloads. */
export const SUMS = ['evictions', 'lostPodHours', 'reevictions', 'unavailablePodSeconds'] as const;
/** Other figures that policies are compared by. */
export const DETAILS = ['nodeLifetimeP50Minutes', 'nodeLifetimeP95Minutes', 'pendingP95Seconds', 'commands'] as const;
export const FIGURES = ['costDollars', ...SUMS, ...DETAILS] as const;

/** Figures of one simulation. */
export interface RunSummary extends Pick<LedgerSummary, (typeof FIGURES)[number]> {
  /** Mean number of pods, DaemonSets aside. */
  readonly pods: number;
  readonly timeline: RunTimeline;
}

/** Samples at equal intervals, at most MAX_STEPS. */
export interface RunTimeline {
  readonly stepHours: number;
  readonly nodes: readonly number[];
  readonly dollarsPerHour: readonly number[];
  /** Cumulative. */
  readonly evictions: readonly number[];
}

export const MAX_STEPS = 240;

/** Result of the job with this number. */
export interface JobResult {
  readonly job: number;
  readonly summary: RunSummary;
  /** Wall-clock time; not reproducible. */
  readonly elapsedMs: number;
}

/** An object with a value for each name. */
export function forEach<K extends string, V>(names: readonly K[], value: (name: K) => V): Readonly<Record<K, V>> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, V>;
}
