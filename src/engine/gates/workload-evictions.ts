import type { History } from '../disruption/history.ts';
import type { MoveRefusal } from '../refusal.ts';

interface WorkloadBrake {
  /** 0 for no limit. */
  readonly maxWorkloadEvictions: number;
  readonly workloadEvictionWindowMs: number;
}

/**
 * No workload has more than maxWorkloadEvictions evictions within the window, over all commands. `evicted` has one name
 * per pod that the move would evict; the refusal names the workload furthest above the limit.
 */
export function workloadEvictions(
  { evictions }: Pick<History, 'evictions'>,
  evicted: readonly string[],
  { maxWorkloadEvictions: allowed, workloadEvictionWindowMs: windowMs }: WorkloadBrake,
  nowMs: number,
): MoveRefusal | undefined {
  if (allowed === 0) return undefined;
  const wanted = new Map<string, number>();
  for (const workload of evicted) wanted.set(workload, (wanted.get(workload) ?? 0) + 1);
  const before = new Map<string, number>();
  for (const { workload, atMs } of evictions)
    if (atMs > nowMs - windowMs && wanted.has(workload)) before.set(workload, (before.get(workload) ?? 0) + 1);
  const most = [...wanted]
    .map(([workload, pods]) => ({ workload, pods, before: before.get(workload) ?? 0 }))
    .sort((a, b) => b.pods + b.before - (a.pods + a.before) || (a.workload < b.workload ? -1 : 1))
    .at(0);
  return most === undefined || most.pods + most.before <= allowed
    ? undefined
    : { code: 'workload-evictions', ...most, allowed, windowMs };
}
