import { durationMs } from '../config/duration.ts';
import type { WorkloadFile } from '../config/workload-file.ts';
import type { DurationRange } from '../simulator/random-streams.ts';
import type { ClusterSettings } from '../simulator/scenario.ts';

export function durationRangeOf(text: string): DurationRange {
  const [least, most = least] = text.split('..');
  return { leastMs: durationMs(least), mostMs: durationMs(most) };
}

/** Delays of EC2 nodes as reported by operators. */
export function settingsOf(given: NonNullable<WorkloadFile['cluster']>): ClusterSettings {
  return {
    scoring: given.scheduler ?? 'LeastAllocated',
    launchDelay: durationRangeOf(given.launchDelay ?? '25s..50s'),
    initDelay: durationRangeOf(given.initDelay ?? '10s..25s'),
    terminationDelay: durationRangeOf(given.terminationDelay ?? '5s..30s'),
    insufficientCapacityRate: given.insufficientCapacityRate ?? 0,
    spotInterruptionsPerDay: given.spotInterruptionsPerDay ?? 0,
    drifts: (given.drift ?? []).map(({ after, nodePool }) => ({ afterMs: durationMs(after), nodePool })),
    priceChanges: (given.priceChanges ?? []).map(({ after, instanceTypes = '', capacityType, factor }) => ({
      afterMs: durationMs(after),
      instanceTypes,
      ...(capacityType === undefined ? {} : { capacityType }),
      factor,
    })),
    drains: (given.drains ?? []).map(({ after, nodes }) => ({ afterMs: durationMs(after), nodes })),
  };
}
