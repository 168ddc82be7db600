/** How workloads scale and run, for simulations; decisions do not depend on it. */

export interface JobProgress {
  /** undefined: the parallelism. */
  readonly completions?: number;
  readonly succeeded: number;
  /** From start to completion; undefined unless completed. */
  readonly runMs?: number;
}

export interface CronJobSchedule {
  readonly cron: string;
  readonly timeZone?: string;
  readonly suspended: boolean;
  /** Of each Job; undefined: the parallelism. */
  readonly completions?: number;
}

/** A HorizontalPodAutoscaler. */
export interface AutoscalerObject {
  readonly namespace: string;
  readonly name: string;
  readonly targetKind: string;
  readonly targetName: string;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}
