import type { ClusterObjects, PodObject, WorkloadObject } from '../engine/cluster/objects.ts';
import type { DurationRange } from './random-streams.ts';
import type { JobApp } from './scenario.ts';

/** Run time of Jobs that neither run nor have completed. */
const UNKNOWN_RUN_MS = 5 * 60_000;
const LEAST_RUN_MS = 60_000;

/** Progress, run times and schedules of an imported cluster's Jobs and CronJobs. */
export class ImportedJobs {
  private readonly byUid: ReadonlyMap<string, WorkloadObject>;
  private readonly cronJobs: readonly WorkloadObject[];
  /** Run times of completed Jobs, by the UID of their CronJob. */
  private readonly completedMs = new Map<string, number[]>();
  private readonly nowMs: number;

  constructor({ workloads, nowMs }: ClusterObjects) {
    this.nowMs = nowMs;
    this.byUid = new Map(workloads.map((workload) => [workload.uid, workload]));
    this.cronJobs = workloads.filter(({ schedule }) => schedule !== undefined && !schedule.suspended);
    for (const { job, owners } of workloads) {
      const owner = owners.find((o) => o.controller)?.uid;
      if (owner === undefined || job?.runMs === undefined) continue;
      this.completedMs.set(owner, [...(this.completedMs.get(owner) ?? []), job.runMs]);
    }
  }

  /** What is left of a Job with these pods: it starts no further runs. */
  running(
    uid: string,
    pods: readonly PodObject[],
  ): Pick<JobApp, 'firstMs' | 'jitterMs' | 'pods' | 'remaining' | 'runTime'> {
    const job = this.byUid.get(uid);
    const { completions = 0, succeeded = 0 } = job?.job ?? {};
    const cronJob = job?.owners.find((o) => o.controller)?.uid ?? '';
    const remaining = Math.max(0, completions - succeeded - pods.length);
    return { firstMs: 0, jitterMs: 0, pods: 0, remaining, runTime: this.knownRunTime(cronJob) ?? this.doubled(pods) };
  }

  /** Every CronJob as a workload that starts Jobs by its schedule. */
  scheduled(base: Pick<JobApp, 'startup' | 'shutdown'>): readonly JobApp[] {
    return this.cronJobs.flatMap(({ namespace, name, uid, replicas, template, schedule }): JobApp[] => {
      if (template === undefined || schedule === undefined) return [];
      const { cron, timeZone, completions } = schedule;
      const pods = completions === undefined ? replicas : Math.min(replicas, completions);
      return [
        {
          ...base,
          ...template,
          kind: 'Job',
          name,
          namespace,
          firstMs: 0,
          jitterMs: 0,
          schedule: { cron, ...(timeZone === undefined ? {} : { timeZone }) },
          pods,
          ...(completions === undefined ? {} : { completions }),
          runTime: this.knownRunTime(uid) ?? { leastMs: UNKNOWN_RUN_MS, mostMs: UNKNOWN_RUN_MS },
        },
      ];
    });
  }

  private knownRunTime(cronJob: string): DurationRange | undefined {
    const known = this.completedMs.get(cronJob);
    return known === undefined ? undefined : { leastMs: Math.min(...known), mostMs: Math.max(...known) };
  }

  /** Without a completed Job to go by, the oldest pod is assumed to be half way through. */
  private doubled(pods: readonly PodObject[]): DurationRange {
    const ages = pods.map(({ startedMs, createdMs }) => this.nowMs - (startedMs ?? createdMs));
    const runMs = Math.max(LEAST_RUN_MS, 2 * Math.max(...ages));
    return { leastMs: runMs, mostMs: runMs };
  }
}
