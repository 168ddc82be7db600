import type { Comparison } from './comparison.ts';
import type { RecordedFigures } from './history/replay.ts';

/** The JSON of `decant compare` (docs/comparison.schema.json). Figures are means over seeds. */
export interface ComparisonDocument {
  readonly apiVersion: 'decant.sh/v1alpha1';
  readonly kind: 'Comparison';
  readonly runs: readonly ComparisonRun[];
  /** For a history: the recorded figures of the cluster. */
  readonly recorded?: RecordedFigures;
}

interface ComparisonRun {
  readonly workload: string;
  readonly policy: string;
  readonly seeds: number;
  readonly days: number;
  readonly costDollars: number;
  /** Sample standard deviation over the seeds. */
  readonly costStdDev: number;
  readonly evictions: number;
  /** Work of evicted Job pods. */
  readonly lostPodHours: number;
  readonly reevictions: number;
  readonly nodeLifetimeP50Minutes: number;
  readonly pendingP95Seconds: number;
  readonly unavailablePodSeconds: number;
  readonly commands: number;
  /** Wall-clock time of all seeds; the only figure that is not reproducible. */
  readonly elapsedMs: number;
}

export function comparisonDocument({ days, workloads, recorded }: Comparison): ComparisonDocument {
  const runs = workloads.flatMap(({ name, rows }) => {
    return rows.map(
      (row): ComparisonRun => ({
        workload: name,
        policy: row.policy.name,
        seeds: row.seeds,
        days,
        costDollars: rounded(row.cost.mean),
        costStdDev: rounded(row.cost.stdDev),
        evictions: rounded(row.evictions.mean),
        lostPodHours: rounded(row.lostPodHours.mean),
        reevictions: rounded(row.reevictions.mean),
        nodeLifetimeP50Minutes: rounded(row.nodeLifetimeP50Minutes.mean),
        pendingP95Seconds: rounded(row.pendingP95Seconds.mean),
        unavailablePodSeconds: rounded(row.unavailablePodSeconds.mean),
        commands: rounded(row.commands.mean),
        elapsedMs: Math.round(row.elapsedMs),
      }),
    );
  });
  return {
    apiVersion: 'decant.sh/v1alpha1',
    kind: 'Comparison',
    runs,
    ...(recorded === undefined ? {} : { recorded }),
  };
}

/** Rounds to hundredths of a cent. */
export function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
