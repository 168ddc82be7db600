import type { NamedPolicy } from './named-policy.ts';

/** One simulation: one seed of one policy on one workload. */
export interface Job {
  /** Name in the experiment. */
  readonly workload: string;
  readonly policy: NamedPolicy;
  readonly seed: number;
  readonly days: number;
}

/** Figures of one simulation. */
export interface RunSummary {
  readonly costDollars: number;
  readonly evictions: number;
  /** Work of evicted Job pods. */
  readonly lostPodHours: number;
  /** Evictions of pods whose predecessor was evicted less than 30 minutes before. */
  readonly reevictions: number;
  readonly nodeLifetimeP50Minutes: number;
  readonly nodeLifetimeP95Minutes: number;
  readonly pendingP95Seconds: number;
  readonly unavailablePodSeconds: number;
  readonly commands: number;
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
