import type { NamedPolicy } from './named-policy.ts';

/** One simulation to be run: one seed of one policy on one workload. */
export interface Job {
  /** As its experiment names it. */
  readonly workload: string;
  readonly policy: NamedPolicy;
  readonly seed: number;
  readonly days: number;
}

/** What one simulation came to. */
export interface RunSummary {
  readonly costDollars: number;
  readonly evictions: number;
  /** Of pods whose predecessor was evicted less than 30 minutes before. */
  readonly reevictions: number;
  readonly nodeLifetimeP50Minutes: number;
  readonly nodeLifetimeP95Minutes: number;
  readonly pendingP95Seconds: number;
  readonly unavailablePodSeconds: number;
  readonly commands: number;
  /** On average, DaemonSets aside. */
  readonly pods: number;
  readonly timeline: Timeline;
}

/** The cluster in even steps, at the end of each; at most MOST_STEPS of them, however long the run. */
export interface Timeline {
  readonly stepHours: number;
  readonly nodes: readonly number[];
  readonly dollarsPerHour: readonly number[];
  /** Since the start. */
  readonly evictions: readonly number[];
}

export const MOST_STEPS = 240;

/** A job by its place in the experiment's list, and what came of it. */
export interface JobResult {
  readonly job: number;
  readonly summary: RunSummary;
  /** Of the simulation, by the clock; not part of what is reproducible. */
  readonly elapsedMs: number;
}
