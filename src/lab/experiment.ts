import type { NamedPolicy } from './named-policy.ts';
import type { Job } from './run-summary.ts';

/** A comparison before it is run: every workload under every policy, with every seed. */
export interface Experiment {
  readonly workloads: readonly WorkloadId[];
  readonly policies: readonly NamedPolicy[];
  /** Seeds are 1 to this. */
  readonly seeds: number;
  readonly days: number;
}

export interface WorkloadId {
  readonly name: string;
  /** Of its text, so that shards of different versions are not merged. */
  readonly digest: string;
  /** Disruption blocks of its NodePools, for what to paste; each once. */
  readonly blocks: readonly unknown[];
}

/** In the order in which they are numbered: seed by seed, so that whoever stops early has seen every policy. */
export function jobsOf({ workloads, policies, seeds, days }: Experiment): readonly Job[] {
  return workloads.flatMap(({ name: workload }) => {
    return Array.from({ length: seeds }, (_, s) => s + 1).flatMap((seed) => {
      return policies.map((policy) => ({ workload, policy, seed, days }));
    });
  });
}
