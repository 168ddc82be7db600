import type { NamedPolicy } from './named-policy.ts';
import type { Job } from './run-summary.ts';

/** What to compare: every workload under every policy with every seed. */
export interface Experiment {
  readonly workloads: readonly WorkloadId[];
  readonly policies: readonly NamedPolicy[];
  readonly firstSeed: number;
  /** Number of seeds: firstSeed, firstSeed + 1, … */
  readonly seeds: number;
  readonly days: number;
}

export interface WorkloadId {
  readonly name: string;
  /** Digest of its text: shards of different versions are not merged. */
  readonly digest: string;
  /** Distinct disruption blocks of its NodePools, for the configuration to paste. */
  readonly blocks: readonly unknown[];
}

/** In order of job numbers: seed by seed, so that a run that stops early covers every policy. */
export function jobsOf({ workloads, policies, firstSeed, seeds, days }: Experiment): readonly Job[] {
  return workloads.flatMap(({ name: workload }) => {
    return Array.from({ length: seeds }, (_, s) => firstSeed + s).flatMap((seed) => {
      return policies.map((policy) => ({ workload, policy, seed, days }));
    });
  });
}
